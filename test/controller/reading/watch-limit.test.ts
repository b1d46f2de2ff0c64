import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { nextTurn } from '../../../platform/async/time-slices.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import { eventually } from '../../support/eventually.ts'
import { folder, policy, put, reader, wakes } from './reading.ts'

const LIMIT = 5
const LOW_LIMIT = `echo ${LIMIT} > /proc/sys/user/max_inotify_watches`
/** Without user namespaces, the script itself limits fs.watch(). */
const hasNamespaces = spawnSync('unshare', ['--user', '--map-root-user', 'sh', '-c', LOW_LIMIT]).status === 0

const SCRIPT = `
  const fs = require('node:fs')
  const { watch } = fs
  let left = process.argv[3] === 'limited' ? Infinity : ${LIMIT}
  fs.watch = (...args) => {
    if (left-- > 0) return watch(...args)
    throw Object.assign(new Error('no watch left'), { code: 'ENOSPC' })
  }
  const { DirectorySource } = require('./reader.cjs')
  const { kinds } = require('./kinds.cjs')
  const source = new DirectorySource({ kinds, home: '/', root: process.argv[2], settleMs: 0 })
  const emptyContext = { exists: () => false, variable: () => undefined }
  let woken = 0
  const stop = source.watch(() => woken++)
  const timer = setInterval(async () => {
    if (source.condition().reason !== 'WatchLimit') return
    clearInterval(timer)
    const { resources } = await source.read(emptyContext)
    console.log(JSON.stringify({ condition: source.condition(), resources: resources.length }))
    stop()
  }, 20)
`

test('lists the folder at the system limit of file watches', () => {
  const files = Array.from({ length: 8 }, (_, index) => [`policies/p${index}.yml`, policy(`p${index}`)])
  const root = folder(Object.fromEntries(files))
  const scripts = folder({ 'main.cjs': SCRIPT })
  const entries = { reader: 'controller/reading/folder/directory-source.ts', kinds: 'schemas/kinds.ts' }
  for (const [name, entry] of Object.entries(entries))
    buildSync({ entryPoints: [entry], outfile: join(scripts, `${name}.cjs`), bundle: true, platform: 'node' })
  const command = [process.execPath, join(scripts, 'main.cjs'), root]
  const [program, ...args] = hasNamespaces
    ? ['unshare', '--user', '--map-root-user', 'sh', '-c', `${LOW_LIMIT} && exec "$0" "$@"`, ...command, 'limited']
    : command
  const printed = execFileSync(program!, args, { encoding: 'utf8', timeout: 30_000 })
  expect(JSON.parse(printed)).toEqual({
    condition: {
      type: 'Watching',
      status: 'False',
      reason: 'WatchLimit',
      message:
        '8 files are listed every 5 s: the system limit of file watches is reached; raise it with sysctl -w fs.inotify.max_user_watches=NUMBER',
    },
    resources: 8,
  })
})

/** When late, it advances 200 ms at each reading. */
class SlowClock extends TestClock {
  override monotonic(): number {
    return this.#late ? (this.#shift += 200) : super.monotonic() + this.#shift
  }
  #shift = 0
  #late = false
  set late(late: boolean) {
    this.#late = late
  }
}

test('lists a folder whose events leave no time for other work, and watches it again after a minute', async () => {
  const root = folder({ 'policies/a.yml': policy('a', 'one') })
  const clock = new SlowClock()
  const source = reader(root, { clock, settleMs: 0 })
  wakes(source)
  await eventually(() => source.condition!()?.reason === 'Watched')
  clock.late = true
  await eventually(() => {
    for (const name of ['b', 'c', 'd', 'e']) put(root, `policies/${name}.yml`, policy(name))
    return source.condition!()?.reason !== 'Watched'
  })
  clock.late = false
  expect(source.condition!()).toEqual({
    type: 'Watching',
    status: 'False',
    reason: 'TooManyEvents',
    message: '1 files are listed every 5 s: the folder, or one above it, changes without pause',
  })
  clock.tick(59_000)
  await nextTurn()
  expect(source.condition!()?.reason).toBe('TooManyEvents')
  await eventually(() => {
    clock.tick(5000)
    return source.condition!()?.reason === 'Watched'
  })
})
