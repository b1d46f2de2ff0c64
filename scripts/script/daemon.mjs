// `svc serve` as one script. Run as a program with the path of the script and that of the code to write, it starts a
// daemon in a temporary folder and stops it again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { asScript, compiled, loaded } from './script.mjs'

const CONTENTS = `
export { runProgram } from './cli/program.ts'
export { svc } from './cli/svc/commands.ts'
export { startDaemon } from './daemon/index.ts'
export { services } from './daemon/services.ts'
export { readConfig } from './platform/core/config.ts'
export { noLog } from './platform/core/log/log.ts'
`

export const daemonScript = (shared) => asScript(shared, 'daemon', CONTENTS)
/** Those of bin/svc and `npm start`, and below those of GROWTH_FLAGS (daemon/memory.ts): code made under others is not taken. */
export const START_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4']
export const compiledDaemon = (script) => compiled(script, fileURLToPath(import.meta.url), START_FLAGS)

async function compile(path, cache) {
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--semi-space-growth-factor=1')
  const { default: sqlite } = await import('@appthreat/sqlite3')
  const { exports, keep } = loaded(path, { '@appthreat/sqlite3': sqlite })
  await startAndStop(exports)
  keep(cache)
}

async function startAndStop({ startDaemon, services, readConfig, noLog }) {
  const home = mkdtempSync(join(tmpdir(), 'svc-build-'))
  try {
    const ports = services({ sources: [] }).map(({ name }) => [`SVC_${name.toUpperCase()}_PORT`, '0'])
    const sockets = { SVC_MUX_SOCKET: `svc-build-${process.pid}`, SVC_USER_MUX_SOCKET: `svc-build-${process.pid}-user` }
    const env = { PATH: process.env.PATH, HOME: home, SVC_DATA_DIR: join(home, 'data'), ...sockets }
    const config = readConfig({ ...env, ...Object.fromEntries(ports) })
    const daemon = await startDaemon({ config, manifests: null, version: '0.0.0', log: noLog })
    await daemon.stop()
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  await compile(process.argv[2], process.argv[3])
  process.exit(0)
}
