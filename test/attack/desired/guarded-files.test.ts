// Manifests are closed to the tools of agents without `may: [source]`; reading them stays open.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { scanAtOnce } from '../../../controller/reading/folder/folder-scan.ts'
import { readPlaces } from '../../../controller/reading/folder/read-places.ts'
import { decide, judge } from '../../../services/orchestrator/policy/judge.ts'
import { closedUnder } from '../../services/orchestrator/policy/closed-under.ts'
import { counted } from '../../support/counts.ts'

const project = realpathSync(mkdtempSync(join(tmpdir(), 'svc-desired-')))
const manifests = join(project, 'manifests')
for (const folder of ['manifests/agents', 'manifests/empty', 'shared', 'src', 'copies/manifests/agents'])
  mkdirSync(join(project, folder), { recursive: true })
for (const file of [
  'manifests/svc.yaml',
  'manifests/agents/editor.yml',
  'manifests/README.md',
  'manifests/.draft.yml',
  'shared/lobby.yml',
  'src/app.ts',
  'signers',
  'docker-compose.yml',
  'copies/manifests/agents/editor.yml',
])
  writeFileSync(join(project, file), 'x\n')
symlinkSync('../shared', join(manifests, 'rooms'))
symlinkSync('manifests/agents', join(project, 'link'))
afterAll(() => {
  rmSync(project, { recursive: true, force: true })
  counted('guarded files: commands judged', WRITES.length + READS.length + OTHERS.length)
})

const of = (readBy: string) => (place: ReturnType<typeof readPlaces>[number]) => ({ ...place, readBy })
const desired = [
  ...readPlaces(manifests, scanAtOnce(manifests)).map(of('source default')),
  { root: join(project, 'signers'), readBy: 'source team' },
]
const place = { workingDir: project, home: '/home/me', closed: closedUnder('/home/me'), desired }
const open = { mode: 'allow_all' } as const
const bash = (command: string, at = place) => decide(open, 'Bash', { command }, at)

const WRITES = [
  'echo x > manifests/agents/editor.yml',
  'echo x >> manifests/svc.yaml',
  'echo x >| link/editor.yml',
  'cat <<EOF > manifests/agents/new.yml\nname: new\nEOF',
  'echo x | tee manifests/agents/editor.yml',
  'sed -i s/deny/allow/ manifests/agents/editor.yml',
  'sed -ni p manifests/agents/editor.yml',
  'sed -i s/a/b/ manifests/agents/*.yml',
  'cd manifests/agents && sed -i s/a/b/ editor.yml',
  'cd manifests/agents && sed -i s/a/b/ *.yml',
  'perl -pi -e s/a/b/ manifests/agents/editor.yml',
  'cp src/app.ts manifests/agents/editor.yml',
  'cp -t manifests/agents src/new.yml',
  'cp src/new.yml manifests/agents',
  'cp src/new.yml manifests/empty/',
  'cp -r copies/manifests .',
  'cp -l manifests/agents/editor.yml src/twin',
  'rsync -a copies/ .',
  'install -m 644 src/app.ts manifests/agents/editor.yml',
  'mv src/app.ts manifests/agents/a.yml',
  'mv manifests elsewhere',
  'mv manifests/agents/editor.yml src/',
  'ln manifests/agents/editor.yml src/twin',
  'ln -s copies manifests/more',
  'ln -sf src/app.ts manifests/agents/editor.yml',
  'rm -rf manifests',
  'rm manifests/agents/editor.yml',
  'rm -rf .',
  'truncate -s 0 manifests/svc.yaml',
  'dd if=src/app.ts of=manifests/svc.yaml',
  'touch manifests/agents/new.yml',
  'git checkout main -- manifests/agents/editor.yml',
  'git restore manifests',
  'git rm manifests/agents/editor.yml',
  'git diff --output=manifests/agents/editor.yml',
  'prettier --write manifests',
  'python3 edit.py manifests/agents/editor.yml',
  'vim -es manifests/agents/editor.yml',
  'bash -c "echo x > manifests/agents/editor.yml"',
  'env A=b tee manifests/svc.yaml < src/app.ts',
  'find manifests -name "*.yml" -delete',
  'find manifests -name "*.yml" -exec sed -i s/a/b/ {} +',
  'find manifests -exec timeout 5 rm {} +',
  'for f in manifests/agents/*.yml; do sed -i s/a/b/ "$f"; done',
  'F=manifests/agents/editor.yml; sed -i s/a/b/ $F',
  'sort -o manifests/svc.yaml src/app.ts',
  'yq -i .a=1 manifests/agents/editor.yml',
  'svc plan manifests --out manifests/agents/editor.yml',
  'echo x > shared/lobby.yml',
  'echo x > signers',
  'mv signers signers.old',
]

test.each(WRITES)('refuses %s', (command) => {
  const { decision, message } = judge(open, 'Bash', { command }, place)
  expect([decision, message]).toEqual(['deny', expect.stringContaining('only agents with may: [source] change')])
})

const READS = [
  'cat manifests/agents/editor.yml',
  'ls -la manifests manifests/agents/',
  'grep -rn allow manifests | head -5',
  'rg allow manifests',
  'sed -n 1,5p manifests/agents/editor.yml',
  'wc -l manifests/agents/*.yml',
  'diff manifests/agents/editor.yml copies/manifests/agents/editor.yml',
  'find manifests -name "*.yml"',
  'find manifests -type f -exec wc -l {} +',
  'find manifests -name "*.yml" | xargs cat',
  'for f in manifests/agents/*.yml; do cat "$f"; done',
  'cd manifests && ls',
  'cp manifests/agents/editor.yml src/editor.txt',
  'cp -r manifests copies/again',
  'git diff manifests',
  'git log --oneline -- manifests/agents/editor.yml',
  'git status',
  'git add . && git commit -m "manifests/agents/editor.yml is fine"',
  'svc validate manifests',
  'svc plan manifests/',
  'timeout 5 cat manifests/svc.yaml',
  'bash -c "cat manifests/svc.yaml"',
  'cat < manifests/svc.yaml > src/copy.txt',
]
const OTHERS = [
  'sed -i s/a/b/ copies/manifests/agents/editor.yml',
  'echo x > docker-compose.yml',
  'echo x > manifests/README.md',
  'echo x > manifests/.draft.yml',
  'cp src/app.ts .',
  'mv src/app.ts .',
  'rm *.log',
  'npm test',
  'prettier --write .',
  'eslint --fix src',
  'mkdir -p src/deep/er',
  'rm -rf src/deep',
  'git checkout -b topic',
  'node build.mjs src',
]

test.each([...READS, ...OTHERS])('allows %s', (command) => {
  expect(judge(open, 'Bash', { command }, place)).toMatchObject({ decision: 'allow' })
})

test.each([
  ['Write', 'file_path'],
  ['Edit', 'file_path'],
  ['MultiEdit', 'file_path'],
  ['NotebookEdit', 'notebook_path'],
  ['mcp__files__write_file', 'path'],
])('refuses %s of a manifest in every mode, and tells the next step', (tool, member) => {
  for (const path of [
    'manifests/agents/editor.yml',
    'manifests/agents/new.yaml',
    'manifests/svc.yaml',
    'link/editor.yml',
    'shared/lobby.yml',
    'signers',
  ])
    for (const mode of ['allow_all', 'require_approval'] as const)
      expect(judge({ mode }, tool, { [member]: join(project, path) }, place)).toEqual({
        finding: null,
        decision: 'deny',
        message: expect.stringMatching(
          /^Tool '\w+' is refused: it may change \/.*, which is read by source (default|team); only agents with may: \[source\] change manifests, others propose the change to a person$/,
        ),
      })
  for (const path of ['manifests/README.md', 'src/app.ts', 'copies/manifests/agents/editor.yml'])
    expect(decide(open, tool, { [member]: join(project, path) }, place)).toBe('allow')
})

test.each([
  ['Read', { file_path: 'manifests/agents/editor.yml' }],
  ['Grep', { pattern: 'x', path: 'manifests' }],
  ['Glob', { pattern: 'manifests/**/*.yml' }],
  ['mcp__files__read_file', { path: join(project, 'manifests/svc.yaml') }],
])('allows %s of a manifest', (tool, input) => {
  expect(decide(open, tool, input, place)).toBe('allow')
})

test('refuses a new manifest in an agent that works in the folder of the source', () => {
  const inside = { ...place, workingDir: join(manifests, 'agents') }
  expect(bash('echo x > new.yml', inside)).toBe('deny')
  expect(bash('sed -i s/a/b/ *.yml', inside)).toBe('deny')
  expect(bash('git commit -am done', inside)).toBe('allow')
  expect(bash('npm test', inside)).toBe('allow')
})

test('guards the root before the first scan', () => {
  const early = { ...place, desired: readPlaces(manifests, null).map(of('source default')) }
  expect(bash('echo x > manifests/agents/editor.yml', early)).toBe('deny')
  expect(bash('rm -rf manifests/agents', early)).toBe('deny')
  expect(bash('cat manifests/agents/editor.yml', early)).toBe('allow')
})
