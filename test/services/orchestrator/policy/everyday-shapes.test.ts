// Thirty shapes of everyday calls: each row is wanted under the policies that it names, and says where it passes.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { decide } from '../../../../services/orchestrator/policy/judge.ts'
import { counted } from '../../../support/counts.ts'
import { closedUnder } from './closed-under.ts'
import { POLICIES } from './everyday-policies.ts'

const work = realpathSync(mkdtempSync(join(tmpdir(), 'svc-shapes-')))
mkdirSync(join(work, 'src'))
writeFileSync(join(work, 'src/a.ts'), '')
afterAll(() => rmSync(work, { recursive: true }))
const place = { workingDir: work, home: '/home/me', closed: closedUnder('/home/me') }

type Policy = keyof typeof POLICIES
type Call = string | [tool: string, input: object]
type Row = [shape: number, call: Call, wanted: Policy[], blocked?: Policy[]]
const [R, B, C, O]: Policy[][] = [['reviewer'], ['builder'], ['careful'], ['open']] as const
const RB: Policy[] = ['reviewer', 'builder']
const BC: Policy[] = ['builder', 'careful']
const BCO: Policy[] = ['builder', 'careful', 'open']
const RBC: Policy[] = ['reviewer', 'builder', 'careful']
const ALL: Policy[] = ['reviewer', 'builder', 'careful', 'open']

const ROWS: Row[] = [
  [1, "python3 - <<'EOF'\nprint(1)\nEOF", BC, C],
  [1, "node <<'EOF'\nconsole.log(1)\nEOF", BC, C],
  [1, "python3 <<'EOF'\nprint(1)\nEOF", B],
  [2, "cat > src/b.ts <<'EOF'\nexport const b = 1\nEOF", B],
  [2, 'echo dist >> .gitignore', B],
  [2, 'npm run build > build.log 2>&1', B],
  [3, 'echo "$(git branch --show-current)"', RBC],
  [3, 'wc -l $(git diff --name-only)', RBC],
  [4, 'npm test > /tmp/out.txt', BCO, BCO],
  [4, 'python /tmp/repro.py', BCO, BCO],
  [4, ['Read', { file_path: '/tmp/out.txt' }], ALL, ALL],
  [5, 'python3 -c "print(1)"', BC, C],
  [5, 'node -e "console.log(1)"', BC, C],
  [5, 'node -p process.version', BC, C],
  [5, "perl -pe 's/a/b/' src/a.ts", BC, C],
  [6, 'for f in src/*.ts; do head -5 "$f"; done', RBC],
  [6, 'git ls-files | while read -r f; do wc -l "$f"; done', RBC],
  [6, 'for f in a b; do echo "$f"; done', RBC],
  [7, 'git ls-files | xargs wc -l', RBC],
  [7, 'git diff --name-only | xargs npx eslint', BC],
  [7, 'git ls-files | xargs git add', B],
  [8, 'curl -s http://localhost:3000/health', B],
  [9, 'PYTHONPATH=. pytest', BC],
  [9, 'PORT=4000 npm start', BC],
  [9, 'NODE_OPTIONS=--max-old-space-size=4096 npm run build', BC],
  [9, 'CGO_ENABLED=0 go build', BC],
  [10, 'npm test; echo "exit: $?"', BC],
  [10, 'cat "$PWD/src/a.ts"', RBC],
  [11, 'echo ${PIPESTATUS[0]} $! $PATH $USER', RBC],
  [12, 'git commit -m "$(cat <<\'EOF\'\nfix: a\nEOF\n)"', BC],
  [13, 'PAGER=cat git diff', RBC],
  [13, 'GIT_PAGER=cat git log', RBC],
  [13, 'git -c core.pager=cat diff', RBC],
  [14, 'GIT_EDITOR=true git rebase --continue', BC],
  [14, 'GIT_SEQUENCE_EDITOR=: git rebase -i HEAD~2', BC],
  [15, 'git -c color.ui=never status', RB],
  [15, 'git -c user.name=bot commit -m x', B],
  [16, 'ls *.json', RB],
  [16, 'wc -l *.md', RB],
  [17, 'grep -rn x --include=*.ts .', RB],
  [18, ['Grep', { pattern: 'x' }], ALL],
  [19, "find src -name '*.ts' -exec wc -l {} +", RB],
  [20, 'VERSION=$(jq -r .version package.json); echo "$VERSION"', RBC],
  [20, 'FILE=src/a.ts; wc -l "$FILE"', RBC],
  [20, 'npm start & PID=$!; sleep 2; kill $PID', BC],
  [21, 'diff <(sort a) <(sort b)', RBC],
  [22, 'i=0; i=$((i+1)); echo $i', RBC],
  [22, 'echo $((12 * 60))', RBC],
  [23, 'source .venv/bin/activate && pytest', BC],
  [24, 'bash scripts/test.sh', C, C],
  [24, "cat > x.py <<'EOF'\nprint(1)\nEOF\npython x.py", BC, C],
  [25, "bash -lc 'git status'", R],
  [25, 'bash -c "ls src && ls b"', RB],
  [26, 'cat /usr/include/stdio.h', ALL, ALL],
  [27, 'bundle exec rspec', B],
  [28, 'docker run -v "$PWD":/app node:20 npm test', O],
  [29, ['mcp__github__get_file_contents', { path: '/etc/nginx/nginx.conf' }], O, O],
  [30, 'ln -s ../config/dev.json src/config.json', BCO],
]

const passed = { wanted: 0, allowed: 0 }
for (const [shape, call, wanted, blocked = []] of ROWS) {
  const [tool, input] = typeof call === 'string' ? ['Bash', { command: call }] : call
  const title = typeof call === 'string' ? call : `${tool} ${JSON.stringify(input)}`
  test(`shape ${shape} passes under ${wanted.filter((each) => !blocked.includes(each)).join(', ') || 'none'}: ${title}`, () => {
    const allowed = wanted.filter((each) => decide(POLICIES[each], tool, input, place) === 'allow')
    passed.wanted += wanted.length
    passed.allowed += allowed.length
    expect(allowed).toEqual(wanted.filter((each) => !blocked.includes(each)))
  })
}

test('counts the shapes', () => {
  counted('policy: wanted everyday calls', passed.wanted)
  counted('policy: of these allowed', passed.allowed)
  expect(new Set(ROWS.map(([shape]) => shape)).size).toBe(30)
})
