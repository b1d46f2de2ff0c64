import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { folder, policy } from './reading.ts'

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
