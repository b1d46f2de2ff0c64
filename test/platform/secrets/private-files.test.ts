import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noLog, type Log } from '../../../platform/core/log/log.ts'
import { keepPrivate } from '../../../platform/secrets/private-files.ts'
import { DaemonStand } from '../../support/daemon.ts'

let folder: string
let told: { level: string; facts: Record<string, unknown> }[]
const level = (name: string) => (facts: Record<string, unknown>) => void told.push({ level: name, facts })
const log = () => ({ ...noLog, warn: level('warn'), error: level('error') }) as unknown as Log
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const config = (dataDir: string) => ({
  dataDir,
  keyFile: join(dataDir, 'key'),
  serviceTokenFile: join(dataDir, 'service-token'),
  runtimeFile: join(dataDir, 'runtime.json'),
  databaseUrl: `sqlite:${join(dataDir, 'svc.db')}`,
  home: join(folder, 'home', 'me'),
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-private-'))
  told = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('restricts file modes and logs it once', () => {
  const data = join(folder, 'data')
  mkdirSync(join(data, 'launch'), { recursive: true })
  const files = ['key', 'service-token', 'runtime.json', 'svc.db', 'svc.db-wal', 'svc.db-shm', 'launch/a.json']
  for (const file of files) {
    writeFileSync(join(data, file), 'x')
    chmodSync(join(data, file), 0o666)
  }
  for (const each of [data, join(data, 'launch')]) chmodSync(each, 0o777)
  keepPrivate(config(data), log())
  for (const file of files) expect(mode(join(data, file)), file).toBe('600')
  for (const each of [data, join(data, 'launch')]) expect(mode(each)).toBe('700')
  expect(told).toHaveLength(9)
  expect(told).toContainEqual({ level: 'warn', facts: { path: join(data, 'key'), was: '0666', now: '0600' } })
  told = []
  keepPrivate(config(data), log())
  expect(told).toEqual([])
})

test('reports a shared folder and leaves it unchanged', () => {
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
  const holdsHome = join(folder, 'home')
  mkdirSync(join(holdsHome, 'me'), { recursive: true })
  chmodSync(holdsHome, 0o755)
  for (const [path, kept] of [
    [shared, '777'],
    [holdsHome, '755'],
  ] as const) {
    told = []
    keepPrivate(config(path), log())
    expect(mode(path)).toBe(kept)
    expect(mode(join(path, 'svc.db'))).toBe('600')
    expect(told).toEqual([{ level: 'warn', facts: { folder: path } }])
  }
})

test('creates no file readable by others under umask 0', { timeout: 60_000 }, async () => {
  const stand = await DaemonStand.create()
  try {
    stand.write(
      'agents/a.yml',
      `name: a\nworking_dir: ${stand.home}\nshell: bash\nruntime: scripted\nenv: { A: secret }\n`,
    )
    mkdirSync(join(stand.dataDir, 'launch'), { recursive: true })
    writeFileSync(join(stand.dataDir, 'launch', 'left-behind.json'), 'secret')
    await stand.start(['/bin/sh', '-c', 'umask 0; exec bin/svc serve --manifests "$0"', stand.manifests])
    await stand.settled()
    await stand.connected()
    const made = readdirSync(stand.dataDir, { recursive: true, encoding: 'utf8' })
    expect(made).toEqual(expect.arrayContaining(['key', 'runtime.json', 'svc.db', 'svc.db-wal', 'svc.db-shm']))
    for (const name of ['', ...made]) expect(statSync(join(stand.dataDir, name)).mode & 0o077, name).toBe(0)
    // Unread launch files are deleted at the start, read ones after reading.
    expect(readdirSync(join(stand.dataDir, 'launch'))).toEqual([])
    expect(existsSync(join(stand.dataDir, 'launch', 'left-behind.json'))).toBe(false)
  } finally {
    await stand.close()
  }
})
