// Trains the builtin embedding of the code index on packages below folders: an npm install, or unpacked Debian packages.
import { mkdirSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { SHARED } from './build.mjs'
import { root } from './ready.mjs'

const folders = process.argv.slice(2).map((folder) => resolve(folder))
if (folders.length === 0) {
  console.error('error: no folder to learn from\nhint: node scripts/train-embedding.mjs FOLDER…')
  process.exit(1)
}
// Below node_modules, so that the packages left out of the bundle are found from there.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'train')
mkdirSync(outdir, { recursive: true })
await build({ ...SHARED, entryPoints: [join(root, 'scripts/embedding/train.ts')], outdir, logLevel: 'warning' })
const out = join(root, 'services/code-index/embedding/weights')
const { status } = spawnSync(
  process.execPath,
  ['--max-old-space-size=6000', join(outdir, 'train.js'), out, ...folders],
  {
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
