import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ToolPolicy } from '../../../../schemas/tools/policy.ts'
import { placeOf } from '../../../../services/orchestrator/tools/agent-workplace.ts'
import { judge, LARGEST_INPUT } from '../../../../services/orchestrator/policy/judge.ts'
import { glob } from '../../../../services/orchestrator/policy/glob.ts'
import { harmlessSed } from '../../../../services/orchestrator/policy/shell/programs/sed-scripts.ts'
import { readConfig } from '../../../../platform/core/config.ts'
import { closedUnder } from './closed-under.ts'
import { POLICIES } from './everyday-policies.ts'

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }
const everything: ToolPolicy = { mode: 'allow_all' }

test.each(['allow_all', 'allow_list', 'deny_list', 'require_approval'] as const)(
  'refuses an input beyond 64 KiB under %s',
  (mode) => {
    const input = { command: `echo ${'a'.repeat(LARGEST_INPUT)}` }
    const { decision, message } = judge({ mode, tools: ['Bash'] }, 'Bash', input, place)
    expect(decision).toBe('deny')
    expect(message).toMatch(
      /^Tool 'Bash' is refused: its input of \d+ bytes exceeds the limit of 65536 bytes and cannot be checked/,
    )
  },
)

test('refuses an outside path and names the setting that opens it', () => {
  expect(judge(everything, 'Read', { file_path: '/etc/passwd' }, place)).toEqual({
    decision: 'deny',
    message:
      "Tool 'Read' is refused: /etc/passwd is outside its working_dir and additional_dirs; add the directory to additional_dirs of the agent to open it",
    finding: null,
  })
})

test('does not ask a person about an outside path', () => {
  expect(judge({ mode: 'require_approval' }, 'Read', { file_path: '/etc/passwd' }, place).decision).toBe('deny')
})

test('allows every path with additional_dirs: [/]', () => {
  expect(judge(everything, 'Bash', { command: 'cat /etc/passwd' }, { ...place, additionalDirs: ['/'] }).decision).toBe(
    'allow',
  )
})

test.each<[ToolPolicy, string]>([
  [everything, 'ask'],
  [{ mode: 'allow_list', tools: ['Bash'] }, 'deny'],
  [{ mode: 'allow_list', tools: ['Bash'], otherwise: 'ask' }, 'ask'],
  [{ mode: 'deny_list', tools: [] }, 'ask'],
])('does not allow a path that cannot be determined, unless all are open: %j', (policy, decision) => {
  const input = { command: 'read F; cat "$F"' }
  expect(judge(policy, 'Bash', input, place)).toMatchObject({
    decision,
    finding: { kind: 'unclear', reason: expect.stringContaining('cannot be determined'), part: 'cat "$F"' },
  })
  expect(judge(everything, 'Bash', input, { ...place, additionalDirs: ['/'] }).decision).toBe('allow')
})

test('lets an agent with a worktree also reach its working_dir', () => {
  const spec = { working_dir: '/work/app', additional_dirs: ['/data'], worktree: true }
  const agent = { spec, launched: spec, worktree: '/trees/app' } as unknown as Parameters<typeof placeOf>[1]
  expect(placeOf(readConfig({ HOME: '/home/me' }), agent)).toMatchObject({
    workingDir: '/trees/app',
    home: '/home/me',
    additionalDirs: ['/trees/app', '/work/app', '/data'],
  })
})

/** CPU time in microseconds, the best of several runs. */
function cost(work: () => void): number {
  const once = () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  return Math.max(1, Math.min(...Array.from({ length: 7 }, once)))
}

/** CPU time of work that takes about 5 ms, on any machine. */
function reference(): number {
  const list = JSON.stringify(Array.from({ length: 20_000 }, (_, at) => ({ at, name: `name ${at}` })))
  return cost(() => void JSON.parse(list))
}
/** About 40 ms. */
const MOST_REFERENCES = 8

const grows: Record<string, (n: number) => void> = {
  'many stars': (n) => void glob(`${'*a'.repeat(400)}b`, 'a'.repeat(n * 40)),
  'a long part that nearly matches': (n) => void glob(`*${'a'.repeat(500)}b*`, 'a'.repeat(n * 40)),
  'a script of sed': (n) => void harmlessSed('s/a/b/;'.repeat(n * 10)),
  'a long word': (n) =>
    void judge(
      { mode: 'deny_list', tools: ['Bash(*a*a*a*b)'] },
      'Bash',
      { command: `echo ${'a'.repeat(n * 3)}` },
      place,
    ),
}

test.each(Object.keys(grows))('judges in linear time: %s', (name) => {
  const work = grows[name] as (n: number) => void
  work(4000)
  const [small, large] = [cost(() => work(4000)), cost(() => work(16_000))]
  // Linear growth is 4, quadratic 16.
  expect(large / Math.max(small, 200)).toBeLessThan(10)
})

test.each([
  '$('.repeat(9000),
  '('.repeat(9000),
  '`'.repeat(9000),
  'a;'.repeat(9000),
  '>a '.repeat(9000),
  'eval '.repeat(9000),
])('does not allow a command designed to be expensive: %#', (command) => {
  expect(judge({ mode: 'allow_list', tools: ['Bash(echo *)'] }, 'Bash', { command }, place).decision).toBe('deny')
  expect(
    judge({ mode: 'deny_list', tools: ['Bash(git push:*)'] }, 'Bash', { command }, { ...place, additionalDirs: ['/'] })
      .decision,
  ).toBe('ask')
})

describe('the paths of one request', () => {
  const work = mkdtempSync(join(tmpdir(), 'svc-limits-'))
  const here = { ...place, workingDir: work }
  const list = (count: number, path: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => path(n)).join(' ')
  /** None of them is there, so that each doubles the folders where the command may run. */
  const folders = list(3, (n) => `cd n${n};`)
  beforeAll(() => {
    mkdirSync(join(work, 'a'))
    mkdirSync(join(work, 'src'))
    symlinkSync('/etc', join(work, 'link'))
    for (let n = 0; n < 1000; n++) writeFileSync(join(work, 'src', `file-${n}.ts`), '')
  })
  afterAll(() => rmSync(work, { recursive: true }))

  test.each<[string, string, Record<string, unknown>]>([
    [
      'words that climb, in eight folders',
      'Bash',
      { command: `${folders}cat ${list(480, (n) => 'a/../'.repeat(24) + n)}` },
    ],
    ['deep words, in eight folders', 'Bash', { command: `${folders}cat ${list(480, (n) => 'a/'.repeat(60) + n)}` }],
    ['short words, in eight folders', 'Bash', { command: `${folders}cat ${list(1900, String)}` }],
    ['one word again and again', 'Bash', { command: `${folders}cat ${list(1900, () => 'a')}` }],
    ['long words', 'Bash', { command: `${folders}cat ${list(15, () => 'a/../'.repeat(800))}` }],
    ['words of slashes', 'Bash', { command: `${folders}cat ${list(15, (n) => `a/../${'/'.repeat(4000)}${n}`)}` }],
    ['members of an MCP request', 'mcp__files__read', { paths: list(5000, (n) => `/tmp/${n}`).split(' ') }],
  ])(
    'are refused within eight times the parsing of a list of 20,000 if they cost too much: %s',
    (_what, tool, input) => {
      const { decision, message } = judge(everything, tool, input, here)
      expect(decision).toBe('deny')
      expect(message).toBe(
        `Tool '${tool}' is refused: it names too many paths to check at once; split it into several requests, or name the directory in place of its files`,
      )
      expect(cost(() => void judge(everything, tool, input, here))).toBeLessThan(MOST_REFERENCES * reference())
    },
  )

  test('are allowed if they are a thousand files', () => {
    const command = `git add ${list(1000, (n) => `src/file-${n}.ts`)}`
    expect(judge(everything, 'Bash', { command }, here).decision).toBe('allow')
  })

  test('are all checked, the last word too', () => {
    const reached = (path: string) =>
      judge(everything, 'Bash', { command: `cat ${list(900, () => 'a')} ${path}` }, here)
    expect(reached('src/file-1.ts').decision).toBe('allow')
    expect(reached('/etc/passwd').message).toContain('/etc/passwd is outside')
    expect(reached(`${'./'.repeat(2000)}link/passwd`).message).toContain('/etc/passwd is outside')
  })

  test('do not grow with the entries of the policy', () => {
    const tools = Array.from({ length: 3000 }, (_, n) => `Read(src/other-${n}.ts)`)
    const read = (mode: 'allow_list' | 'deny_list') =>
      judge({ mode, tools }, 'Read', { file_path: 'src/file-1.ts' }, here).decision
    expect([read('allow_list'), read('deny_list')]).toEqual(['deny', 'allow'])
  })
})

describe('a command of 4 KB', () => {
  const repeated = (piece: (n: number) => string, separator: string) => {
    const pieces: string[] = []
    for (let [n, length] = [0, 0]; length < 4096; n++) {
      pieces.push(piece(n))
      length += piece(n).length + separator.length
    }
    return pieces.join(separator)
  }
  const COMMANDS: Record<string, string> = {
    chain: repeated((n) => `git log -${n} src/file-${n}.ts`, ' && '),
    files: `git add ${repeated((n) => `services/some/where/file-${n}.ts`, ' ')}`,
    text: `cat > src/a.ts <<'EOF'\n${repeated((n) => `export const name${n} = ${n}`, '\n')}\nEOF`,
    code: `python3 - <<'EOF'\n${repeated((n) => `print(${n})`, '\n')}\nEOF`,
    loops: repeated((n) => `for f${n} in src/*.ts; do head -5 "$f${n}"; done`, '; '),
    'nested loops': `for a in 1 2 3 4 5; do for b in 1 2 3; do ${repeated(() => 'head -1 $a $b src/file', '; ')}; done; done`,
    substitutions: repeated((n) => `echo "$(git log -${n} | head -3)"`, '; '),
    'nested substitutions': `${'echo $('.repeat(200)}ls${')'.repeat(200)}`,
    variables: repeated((n) => `V${n}=a${n}; wc -l "$V${n}"`, '; '),
    pipes: repeated(() => 'grep -v a', ' | '),
    folders: repeated((n) => `cd src; cat f${n}; cd ..`, '; '),
    'folders that are not there': repeated((n) => `cd n${n % 3}; cat ../f${n}`, '; '),
    redirections: repeated((n) => `echo ${n} > src/out${n}.txt`, '; '),
    branches: repeated((n) => `if [ -f a${n} ]; then cat a${n}; else echo no; fi`, '; '),
    options: `rm ${repeated(() => '-r', ' ')}`,
    'code for a shell': `bash -c '${repeated((n) => `git status; ls src/a${n}`, '; ')}'`,
    'unknown programs': repeated((n) => `my-tool a${n} b c`, '; '),
  }

  test('is judged within eight times the parsing of a list of 20,000', { timeout: 300_000 }, () => {
    for (const command of Object.values(COMMANDS)) judge(POLICIES.builder, 'Bash', { command }, place)
    const costs = Object.entries(COMMANDS).flatMap(([name, command]) =>
      Object.entries(POLICIES).map(([mode, policy]) => ({
        what: `${name} under ${mode}`,
        microseconds: cost(() => void judge(policy, 'Bash', { command }, place)),
      })),
    )
    costs.sort((a, b) => a.microseconds - b.microseconds)
    const at = (share: number) => costs[Math.ceil(costs.length * share) - 1]!
    console.log(
      ...[0.5, 0.99].map(
        (share) => `policy: p${share * 100} ${(at(share).microseconds / 1000).toFixed(1)} ms (${at(share).what})`,
      ),
    )
    console.log(`policy: reference ${(reference() / 1000).toFixed(1)} ms`)
    expect(at(0.99).microseconds).toBeLessThan(MOST_REFERENCES * reference())
  })
})
