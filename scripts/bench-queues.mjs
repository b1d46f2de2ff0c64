// `npm run bench:queues`: our queues next to those of others, which are installed once by npm, in the last versions that
// run on the oldest Node that we do. Ends with 1 where ours is slower than one of them, with 2 where that cannot be measured.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { SHARED } from './build.mjs'
import { makeReady, root } from './ready.mjs'

const PEERS = ['plainjob@0.0.14', 'liteque@0.8.0', 'better-sqlite3@12.11.1', 'pg-boss@10.4.2', 'graphile-worker@0.16.6']

makeReady()
const cache = process.env.SVC_BENCH_PACKAGES ?? join(root, 'node_modules', '.cache', 'svc', 'packages')
const folder = join(cache, 'queues')
const isThere = (peer) => existsSync(join(folder, 'node_modules', peer.split('@')[0]))
if (!PEERS.every(isThere)) {
  mkdirSync(folder, { recursive: true })
  // With its scripts: better-sqlite3 is built where it has no binary for this machine.
  const manifest = { private: true, allowScripts: { 'better-sqlite3': true } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--legacy-peer-deps', ...PEERS], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.error(`error: npm install ended with ${status}\nhint: the bench needs npm and a C++ compiler`)
    process.exit(2)
  }
}

// Below node_modules, so that the packages left out of the bundle are found from there.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'bench-queues')
rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })
await build({ ...SHARED, entryPoints: [join(root, 'test/bench/queues/queues.ts')], outdir, sourcemap: 'inline' })
const options = ['--enable-source-maps', join(outdir, 'queues.js'), folder]
process.exit(spawnSync(process.execPath, options, { cwd: root, stdio: 'inherit' }).status ?? 2)
