import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../../platform/core/clock.ts'
import { bwrapCure } from '../../../platform/sandbox/probe-cures.ts'
import { probeSandbox, SandboxProbes, type SandboxProbe } from '../../../platform/sandbox/probe.ts'

const made: string[] = []
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })))

/** A PATH with a bwrap that says `words` on a start. */
function pathWith(words: string, exitCode = 1): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-probe-'))
  made.push(folder)
  const script = `#!/bin/sh\n[ "$1" = --version ] && { echo bubblewrap 9.9; exit; }\nprintf '%s\\n' "${words}" >&2\nexit ${exitCode}\n`
  writeFileSync(join(folder, 'bwrap'), script)
  chmodSync(join(folder, 'bwrap'), 0o755)
  return folder
}

const isRoot = process.getuid?.() === 0

test.each([{ prefix: [] }, ...(isRoot ? [{ prefix: ['setpriv', '--reuid=65534', '--clear-groups'] }] : [])])(
  'passes where programs can start in a sandbox: $prefix',
  async ({ prefix }) => {
    expect(await probeSandbox({ prefix, env: process.env })).toEqual({
      ok: true,
      bwrap: expect.stringMatching(/^\/.*\/bwrap$/),
      version: expect.stringMatching(/^\d+\.\d+/),
    })
  },
)

test('names the package where bubblewrap is missing', async () => {
  for (const PATH of ['/nowhere:relative', '', undefined])
    expect(await probeSandbox({ prefix: [], env: { PATH } })).toEqual({
      ok: false,
      code: 'sandbox-unavailable',
      message: expect.stringContaining('bwrap is not on the PATH'),
      hint: expect.stringContaining('apt install bubblewrap'),
    })
})

test.each([
  ['darwin', 'macOS'],
  ['win32', 'Windows'],
  ['freebsd', 'freebsd'],
])('is not supported on %s', async (platform, name) => {
  expect(await probeSandbox({ prefix: [], env: process.env, platform })).toMatchObject({
    ok: false,
    code: 'sandbox-unsupported',
    message: `no sandbox on ${name}: it needs Linux`,
  })
})

test('quotes bubblewrap where the host refuses a sandbox', async () => {
  const PATH = pathWith("a warning\nbwrap: Can't mount proc on /newroot/proc: Operation not permitted")
  expect(await probeSandbox({ prefix: [], env: { PATH } })).toMatchObject({
    ok: false,
    code: 'sandbox-refused',
    message: expect.stringContaining("refuses it: bwrap: Can't mount proc on /newroot/proc"),
    hint: expect.stringContaining('runs_on'),
  })
})

test('reports an exit without a message, and a prefix that fails', async () => {
  const PATH = pathWith('', 3)
  expect(await probeSandbox({ prefix: [], env: { PATH } })).toMatchObject({
    message: expect.stringContaining('ended with exit code 3, without a message'),
    hint: expect.stringContaining('by hand'),
  })
  const refused = await probeSandbox({ prefix: ['/bin/sh', '-c', 'echo no such user >&2; exit 1'], env: process.env })
  expect(refused).toMatchObject({ code: 'sandbox-refused', message: expect.stringContaining('no such user') })
})

describe('the next step', () => {
  const plain = { isRoot: false, hasAppArmor: false }
  test.each([
    ['bwrap: setting up uid map: Operation not permitted', { ...plain, isRoot: true }, /CAP_SETFCAP/],
    ['bwrap: setting up uid map: Permission denied', plain, /bwrap-userns-restrict.*apparmor_parser -r/],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', { ...plain, hasAppArmor: true }, /apparmor/],
    ['bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', plain, /runs_on/],
    ['bwrap: No permissions to create new namespace, likely because', plain, /sysctl.*runs_on/],
    ['bwrap: No permissions to creating new namespace, likely because', plain, /sysctl/],
    [
      'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded',
      plain,
      /sysctl/,
    ],
    ["bwrap: Can't mount proc on /newroot/proc: Operation not permitted", plain, /container/],
    ['bwrap: Unknown option --disable-userns', plain, /0\.8 or later/],
    ['something else', plain, /by hand/],
  ])('for %s', (words, host, hint) => {
    expect(bwrapCure(words, host)).toMatch(hint)
    expect(bwrapCure(words, host)).toContain('sandbox: off')
  })
})

describe('keeps results', () => {
  const passed: SandboxProbe = { ok: true, bwrap: '/bwrap', version: '1' }
  const failed: SandboxProbe = { ok: false, code: 'sandbox-refused', message: '', hint: '' }

  function probesOf(result: () => Promise<SandboxProbe>) {
    const clock = new TestClock()
    const asked: string[] = []
    const probes = new SandboxProbes(clock, ({ prefix }) => {
      asked.push(prefix.join(' '))
      return result()
    })
    return { clock, asked, get: (...prefix: string[]) => probes.get({ prefix, env: {} }) }
  }

  test('of each user for ten minutes', async () => {
    const { clock, asked, get } = probesOf(async () => passed)
    await Promise.all([get('a'), get('a'), get('b')])
    clock.tick(10 * 60_000 - 1)
    await get('a')
    expect(asked).toEqual(['a', 'b'])
    clock.tick(1)
    expect(await get('a')).toBe(passed)
    expect(asked).toEqual(['a', 'b', 'a'])
  })

  test('for ten seconds after a failure', async () => {
    const { clock, asked, get } = probesOf(async () => failed)
    await get('a')
    await get('a')
    clock.tick(10_000)
    await get('a')
    expect(asked).toEqual(['a', 'a'])
  })

  test('not of a probe that throws', async () => {
    const { asked, get } = probesOf(() => Promise.reject(new Error('no memory')))
    await expect(get('a')).rejects.toThrow('no memory')
    await expect(get('a')).rejects.toThrow('no memory')
    expect(asked).toHaveLength(2)
  })
})
