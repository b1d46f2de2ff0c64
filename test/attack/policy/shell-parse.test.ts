import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readScript } from '../../../services/orchestrator/policy/shell/script.ts'
import { PathLookups } from '../../../services/orchestrator/policy/real-path.ts'
import { counted } from '../../support/counts.ts'
import { closedUnder } from '../../services/orchestrator/policy/closed-under.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-shell-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** No slashes or endless loops: a script stays in its folder and ends. */
const PIECES = [
  'aa',
  'bb',
  'cc',
  ' aa ',
  ' bb ',
  ' ',
  '  ',
  '\t',
  '\n',
  ';',
  '; ',
  '&&',
  '||',
  '|',
  '|&',
  '&',
  '(',
  ')',
  '{ ',
  '; }',
  '$(',
  ')"',
  '"$(',
  '`',
  '`"',
  '"',
  "'",
  '\\',
  '\\\n',
  '#',
  '!',
  '-',
  '~',
  '\r',
  '<<E\n',
  '\nE\n',
  "<<'E'\n",
  '<<-E\n',
  '\tE\n',
  '<(',
  '>&',
  '2>',
  '<<<',
  '<&-',
  '>|',
  '[[ ',
  ' ]]',
  '((',
  '))',
  'if ',
  '; then ',
  'elif ',
  'else ',
  '; fi',
  'for x in ',
  '; do ',
  '; done',
  'case x in x) ',
  ';; esac',
  'f() ',
  'function g ',
  'time ',
  '${x:-',
  '}',
  '${',
  '$x',
  '$((',
  '$[',
  'x=1 ',
  'a[0]=',
  '=',
  '{aa,bb}',
  '*',
  "$'",
  '$"',
  '@(',
  '!(',
  '[',
  ']',
  'in',
  'x)',
]

function scripts(count: number): string[] {
  let seed = 20
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return (seed >> 8) % limit
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: 2 + below(9) }, () => PIECES[below(PIECES.length)] ?? '').join(''),
  )
}

function ranByBash(script: string, index: number): string[] {
  const log = join(folder, `log${index}`)
  const handler = `command_not_found_handle() { builtin printf '%s\\0' "$1" >>${log}; return 1; }; PATH=/nonexistent; `
  spawnSync('timeout', ['-s', 'KILL', '2', 'bash', '--norc', '-c', handler + script], { cwd: folder, stdio: 'ignore' })
  return existsSync(log) ? readFileSync(log, 'utf8').split('\0').filter(Boolean) : []
}

test('finds every program that bash runs in a parsed command', { timeout: 120_000 }, () => {
  const place = { home: '/home/me', workingDir: folder, closed: closedUnder('/home/me') }
  let [understood, ran] = [0, 0]
  const unseen: { script: string; program: string }[] = []
  for (const [index, script] of scripts(5000).entries()) {
    const read = readScript(script, { ...place, lookups: new PathLookups() })
    if (typeof read === 'string') continue
    understood++
    const programs = read.commands.flatMap(({ words }) => words[0] ?? [])
    if (programs.some((word) => word.is !== 'literal')) continue
    const found = ranByBash(script, index)
    ran += found.length
    for (const program of found) if (!programs.some(({ text }) => text === program)) unseen.push({ script, program })
  }
  counted('shell: parsed random scripts, run by bash', understood)
  counted('shell: programs that bash ran in them', ran)
  expect(unseen).toEqual([])
  expect(ran).toBeGreaterThan(100)
})
