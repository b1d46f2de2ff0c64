import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../../platform/core/config.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { ClosedSet, isHidden } from '../../../platform/files/closed-set.ts'

const top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-closed-')))
afterAll(() => rmSync(top, { recursive: true, force: true }))
const home = join(top, 'home')
const data = join(top, 'data')
const elsewhere = join(top, 'elsewhere')
for (const folder of [home, data, elsewhere]) mkdirSync(folder)
writeFileSync(join(elsewhere, 'real-key'), '0'.repeat(64))
symlinkSync(join(elsewhere, 'real-key'), join(elsewhere, 'key'))
symlinkSync(data, join(top, 'linked'))

const closed = new ClosedSet(
  readConfig({
    HOME: home,
    SVC_DATA_DIR: join(top, 'linked'),
    SVC_KEY_FILE: join(elsewhere, 'key'),
    SVC_TOKENS_FILE: join(elsewhere, 'tokens.json'),
    SVC_SERVICE_TOKEN_FILE: join(elsewhere, 'service-token'),
    SVC_DATABASE_URL: `sqlite:${join(elsewhere, 'svc.db')}`,
  }),
)
const own = join(data, 'worktrees', 'one')

test.each([
  data,
  join(data, 'key'),
  join(data, 'launch', 'a.json'),
  join(data, 'worktrees'),
  join(data, 'checkouts'),
  join(data, 'sources', 'default', 'mirror.git'),
  join(data, 'sources', 'default', 'project', 'agents'),
  ...['key', 'real-key', 'tokens.json', 'service-token', 'svc.db', 'svc.db-wal'].map((name) => join(elsewhere, name)),
  join(home, '.config', 'svc', 'config.yaml'),
  ...['.ssh/id_ed25519', '.gnupg', '.aws/credentials', '.netrc', '.bash_history'].map((name) => join(home, name)),
  '/etc/shadow',
  '/proc/1/environ',
  join('/tmp', `svc-launch-${randomUUID()}.Ab12Cd34`),
])('closes %s', (path) => {
  expect(closed.closing(path)).not.toBeNull()
})

test.each([
  top,
  home,
  elsewhere,
  join(home, 'project', '.npmrc'),
  join(home, '.sshd'),
  join(own, 'src'),
  join(data, 'checkouts', 'default'),
  join(data, 'checkouts', 'default', 'agents'),
])('leaves %s open', (path) => {
  expect(closed.closing(path)).toBeNull()
})

test('opens the worktree of an agent to that agent and to people', () => {
  expect(closed.closing(own, [own])).toBeNull()
  expect(closed.closing(join(data, 'worktrees', 'other'), [own])).toMatchObject({ path: data })
  expect(closed.closing(own, [])).toMatchObject({ path: data })
  // The whole data directory, or a directory that contains it, is not the agent's own.
  for (const folder of [data, top, '/']) expect(closed.closing(own, [folder])).toMatchObject({ path: data })
})

test('hides the closed part of an open directory', () => {
  const hidden = closed.hiddenIn(top)
  for (const path of [join(data, 'key'), join(home, '.ssh', 'id_rsa'), join(elsewhere, 'svc.db')])
    expect(isHidden(path, hidden)).toBe(true)
  expect(isHidden(join(home, 'project', 'a.ts'), hidden)).toBe(false)
  expect(closed.hiddenIn(join(own, 'src'))).toEqual([])
})

test('names the path, the closed path and the next step', () => {
  const refused = (real: string): Problem => {
    try {
      closed.refuse('path', './x', { real })
    } catch (error) {
      return error as Problem
    }
    throw new Error(`${real} is open`)
  }
  const inData = refused(join(data, 'launch'))
  expect([inData.status, inData.code]).toEqual([422, 'path-closed'])
  expect(inData.message).toBe(
    `path "./x" is in ${data}, which is closed: only the worktree of an agent and the checkout of its source are open in the data directory`,
  )
  expect(refused(join(home, '.ssh')).message).toContain(`path "./x" is ${join(home, '.ssh')}, which is closed: nothing`)
})

test('finds directories that hold a home', () => {
  expect(['/', top, home].map((folder) => closed.holdsHome(folder))).toEqual([true, true, true])
  expect([elsewhere, join(home, 'project')].map((folder) => closed.holdsHome(folder))).toEqual([false, false])
})

test('lists all closed paths of a user for a sandbox', () => {
  const user = join(top, 'user')
  const config = readConfig({
    HOME: home,
    SVC_DATA_DIR: join(top, 'linked'),
    TMUX_TMPDIR: join(top, 'terminals'),
    XDG_RUNTIME_DIR: join(top, 'runtime'),
  })
  const paths = new ClosedSet(config).paths(user)
  const expected = [
    data,
    join(top, 'linked'),
    join(top, 'runtime'),
    '/etc/shadow',
    join(top, 'terminals', `tmux-${process.getuid!()}`),
    ...['.ssh', '.netrc', '.local/share/svc'].map((name) => join(user, name)),
  ]
  expect(paths).toEqual(expect.arrayContaining(expected))
  // A sandbox has its own /proc. Missing credentials of other users need no mount.
  for (const path of ['/proc', join(home, '.vault-token')]) expect(paths).not.toContain(path)
  writeFileSync(join(home, '.vault-token'), '')
  expect(new ClosedSet(config).paths(user)).toContain(join(home, '.vault-token'))
  rmSync(join(home, '.vault-token'))
  expect(new ClosedSet(readConfig({ HOME: home })).paths(home)).toContain(`/tmp/tmux-${process.getuid!()}`)
})
