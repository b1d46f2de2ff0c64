import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { bin } from '../../support/built.ts'
import { portsAt } from '../../support/ports.ts'

const home = mkdtempSync(join(tmpdir(), 'svc-output-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
mkdirSync(join(home, 'manifests', 'policies'), { recursive: true })
writeFileSync(join(home, 'manifests', 'policies', 'p.yml'), 'name: p\nmode: deny_all\n')

const full = openSync('/dev/full', 'w')
afterAll(() => closeSync(full))

type Output = number | 'pipe' | 'ignore'

function started(line: string, [stdout, stderr]: readonly [Output, Output]) {
  const [program, ...args] = line.split(' ') as ['svc' | 'agent' | 'doc', ...string[]]
  return spawn(process.execPath, [bin(program), ...args], {
    cwd: home,
    stdio: ['ignore', stdout, stderr],
    env: { PATH: process.env.PATH, HOME: home, SVC_DATA_DIR: join(home, 'data'), ...portsAt(1) },
  })
}

async function ended(
  child: ReturnType<typeof started>,
): Promise<[code: number | null, stdout: string, stderr: string]> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return [code, stdout, stderr]
}

const LINES = [
  'svc --version',
  'svc version',
  'svc --help',
  'svc help apply',
  'svc get --help',
  'svc validate manifests',
  'svc validate manifests --output json',
  'svc doctor',
  'svc explain agent',
  'svc complete -- get',
  'agent',
  'agent monitor --help',
  'doc --help',
]

test.each(LINES)('ends with one line and 1 on a full disk: %s', async (line) => {
  const [code, , stderr] = await ended(started(line, [full, 'pipe']))
  expect([code, stderr]).toEqual([1, 'error: standard output cannot be written: no space is left on the device\n'])
})

test.each(LINES)('ends with one line and 1 if its reader has closed the pipe: %s', async (line) => {
  const child = started(line, ['pipe', 'pipe'])
  child.stdout!.destroy()
  let stderr = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect([code, stderr]).toEqual([1, 'error: standard output cannot be written: its reader has closed it\n'])
})

test.each(['svc validate manifests', 'svc --version'])(
  'prints its result if notes cannot be written: %s',
  async (line) => {
    const [code, stdout] = await ended(started(line, ['pipe', full]))
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\S/)])
  },
)

test('keeps its exit code if the error cannot be written', async () => {
  const [code, stdout] = await ended(started('svc no-such-command', ['pipe', full]))
  expect([code, stdout]).toEqual([64, ''])
})
