// `svc serve` as one script for daemon/bundled.ts, and the code that the compiler makes of it in a start: run as a program
// with the path of the script and the one to write to, it starts a daemon in a temporary folder and stops it again.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { constants, Script } from 'node:vm'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** Milliseconds for a start and a stop on a busy machine. */
const LONGEST_MS = 60_000

const CONTENTS = `
export { runProgram } from './cli/program.ts'
export { svc } from './cli/svc/commands.ts'
export { startDaemon } from './daemon/index.ts'
export { services } from './daemon/services.ts'
export { readConfig } from './platform/config.ts'
export { noLog } from './platform/log.ts'
`

/** Options of esbuild beside those of every bundle: a function of what a module is given, as one expression. */
export const daemonScript = (shared) => ({
  ...shared,
  format: 'cjs',
  stdin: { contents: CONTENTS, resolveDir: root, loader: 'ts' },
  outdir: undefined,
  outfile: join(shared.outdir, 'chunks', 'daemon.cjs'),
  define: { 'import.meta.url': '__url' },
  banner: {
    js: '(function (exports, require, module, __filename, __dirname) { const __url = require("node:url").pathToFileURL(__filename).href;',
  },
  footer: { js: '})' },
})

/** Its name says what is in it: code made of another script of the same length would be taken for its own. */
export const nameOf = (contents) => `daemon-${createHash('sha256').update(contents).digest('hex').slice(0, 12)}.cjs`

/** Path of the compiled code beside `script`, made now where there is none; null where a daemon could not be started. */
export function compiled(script) {
  const cache = `${script}.${process.version}-${process.arch}`
  if (existsSync(cache)) return cache
  spawnSync(process.execPath, [fileURLToPath(import.meta.url), script, cache], {
    timeout: LONGEST_MS,
    stdio: 'ignore',
  })
  return existsSync(cache) ? cache : null
}

async function compile(path, cache) {
  // GROWTH_FLAGS of daemon/memory.ts: code that was made under other flags is not taken.
  setFlagsFromString('--heap-growing-percent=33')
  setFlagsFromString('--semi-space-growth-factor=1')
  // Where programs that the daemon starts are found from.
  const filename = join(root, 'dist', 'chunks', basename(path))
  const script = new Script(readFileSync(path, 'latin1'), {
    filename,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const near = createRequire(import.meta.url)
  const { default: sqlite } = await import('@appthreat/sqlite3')
  const module = { exports: {} }
  const given = (name) => (name === '@appthreat/sqlite3' ? sqlite : near(name))
  script.runInThisContext()(module.exports, given, module, filename, dirname(filename))
  await startAndStop(module.exports)
  const temporary = `${cache}.${process.pid}.tmp`
  writeFileSync(temporary, script.createCachedData())
  renameSync(temporary, cache)
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
