import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { PRESETS } from '../../../../schemas/tools/presets/index.ts'
import { canonicalPolicy } from '../../../../schemas/tools/policy.ts'
import { judge } from '../../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from './closed-under.ts'

const workingDir = mkdtempSync(join(tmpdir(), 'svc-presets-'))
for (const folder of ['src', '.git', '.github', 'scripts']) mkdirSync(join(workingDir, folder))
afterAll(() => rmSync(workingDir, { recursive: true }))
const place = { workingDir, home: '/home/me', closed: closedUnder('/home/me') }

const presets = new Map<string, ToolPolicy>(
  PRESETS.map((preset) => [preset.name, canonicalPolicy(preset, 'allow_all')]),
)
type Call = string | [tool: string, input: object]
const toolOf = (call: Call) => (typeof call === 'string' ? (['Bash', { command: call }] as const) : call)
const file = (tool: string, file_path: string): Call => [tool, { file_path }]

const CALLS: Record<string, Record<'allow' | 'ask' | 'deny', Call[]>> = {
  reviewer: {
    allow: [
      'git status',
      'git diff HEAD~1',
      'git log --oneline | head -5',
      'cat src/a.ts | head',
      'ls -la',
      'cd src && ls',
      'rg -n foo src',
      'find . -name "*.ts"',
      'sed -n 1,20p src/a.ts',
      'jq . a.json',
      'bash -c "git status"',
      'gh pr view 3',
      'cat .env.example',
      'git diff > /dev/null',
      'ls -la 2>/dev/null',
      file('Read', 'src/a.ts'),
      ['Grep', { pattern: 'x' }] as Call,
      ['mcp__github__get_issue', {}],
    ],
    ask: [
      'npm test',
      'gh pr merge 3',
      'git branch -D x',
      'git fetch',
      'yq -i .a a.yml',
      'git diff --output=x',
      'sed -n -i p a',
      'python3 -c 1',
      'curl https://a.example',
      ['WebFetch', { url: 'https://a.example/' }],
    ],
    deny: [
      'git commit -m x',
      'git push',
      'rm a',
      'echo x > f',
      'cat .env',
      'sudo ls',
      file('Write', 'a'),
      file('Edit', 'a'),
      file('Read', '.env'),
      file('Read', 'secrets/a'),
    ],
  },
  builder: {
    allow: [
      'npm test',
      'npm run build && npm test',
      'git add -A && git commit -m "a fix"',
      'git checkout -b x',
      'npm ci',
      'rm -rf dist',
      'rm repro.py',
      'python3 -m pytest -q',
      'pytest -q a.py::test_b',
      'npx tsc --noEmit',
      'make',

      'curl -s http://localhost:3000/health',
      'sed -i s/a/b/ src/a.ts',
      'mkdir -p a/b',
      './scripts/x.sh',
      'go test ./...',
      file('Write', 'a'),
      file('Edit', '.gitignore'),
      file('Edit', '.env.example'),
    ],
    ask: [
      'git push',
      'git push --force',
      'git reset --hard HEAD~1',
      'git clean -fdx',
      'rm -rf src',
      'rm -rf src a.py',

      'npm install lodash',
      'python3 -m pip install x',
      'npx create-react-app x',
      'curl https://a.example',
      'kill 12',
      'curl http://localhost.a.example',
      'gh pr create --fill',
      'ls; wget x',
      'terraform apply',
      file('Write', '.git/hooks/pre-commit'),
      file('Edit', '.github/workflows/a.yml'),
    ],
    deny: ['sudo ls', 'npm publish', 'cat .env', file('Edit', '.env'), file('Read', '/etc/passwd')],
  },
  releaser: {
    allow: ['npm test', 'git push origin svc/a', 'git tag v1', 'gh pr create --fill', 'npm pack'],
    ask: [
      'git push',
      'git push origin main',
      'git push origin svc/a:main',
      'npm publish',
      'gh pr merge 3',
      'terraform apply',
    ],
    deny: ['git push --force origin svc/a', 'git push -f origin svc/a', 'git push origin --delete svc/a', 'sudo ls'],
  },
  careful: {
    allow: ['ls', 'npm test', 'git commit -m x', file('Edit', 'src/a.ts'), ['Grep', { pattern: 'x' }]],
    ask: [
      'rm -rf dist',
      'git push',
      'git clean -fdx',
      'git branch -D x',
      'kubectl delete pod x',
      'npx create-x y',
      'sudo ls',
      'python3 -c 1',
      'curl https://a.example',
      'npm install -g x',
      file('Read', '.env'),
      ['mcp__github__merge_pull_request', {}],
    ],
    deny: [file('Read', '/etc/passwd')],
  },
  open: { allow: ['rm -rf src', file('Write', 'a')], ask: [], deny: ['cat /etc/passwd', file('Read', '/etc/passwd')] },
}

test.each(PRESETS.map(({ name }) => name))('%s answers everyday calls', (name) => {
  const found = Object.entries(CALLS[name]!).flatMap(([wanted, calls]) =>
    calls.map((call) => {
      const [tool, input] = toolOf(call)
      return [judge(presets.get(name)!, tool, input, place).decision, wanted, JSON.stringify(call)]
    }),
  )
  expect(found.filter(([decision, wanted]) => decision !== wanted)).toEqual([])
})
