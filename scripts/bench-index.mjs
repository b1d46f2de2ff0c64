// `npm run bench:index`: how well the code index answers, on packages that nothing was learnt from, and how fast it is on as
// many of their sources as make 40 MB. They are fetched once, by the ordinary clients of npm and Debian.
// `-- quality` and `-- speed` run one of the two; `-- speed agentic` one part of it, as its file says.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { SHARED } from './build.mjs'
import { makeReady, root } from './ready.mjs'

await makeReady()
const packages = JSON.parse(readFileSync(join(root, 'test/bench/index/packages.json'), 'utf8'))
const cache = process.env.SVC_BENCH_PACKAGES ?? join(root, 'node_modules', '.cache', 'svc', 'packages')

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status === 0) return
  console.error(
    `error: ${command} ${args.join(' ')} ended with ${status}\nhint: the bench needs npm and Debian's packages`,
  )
  process.exit(1)
}

function fetchNpm(names) {
  const folder = join(cache, 'npm')
  mkdirSync(folder, { recursive: true })
  if (names.every((name) => existsSync(join(folder, 'node_modules', name)))) return
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', ...names], folder)
}

function fetchDebian(names) {
  const folder = join(cache, 'debian')
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    if (existsSync(join(folder, name))) continue
    run('apt-get', ['download', '-qq', name], folder)
    const file = readdirSync(folder).find((each) => each.startsWith(`${name}_`) && each.endsWith('.deb'))
    run('dpkg-deb', ['-x', file, name], folder)
    rmSync(join(folder, file))
  }
}

fetchNpm(Object.keys(packages.typescript.npm))
fetchDebian([...packages.python.debian, ...packages.rust.debian])

// Below node_modules, so that the packages left out of the bundle are found from there.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'bench-index')
rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })
const [chosen, ...parts] = process.argv.slice(2)
const asked = ['quality', 'speed'].filter((name) => chosen === undefined || chosen === name)
const entryPoints = asked.map((name) => join(root, 'test/bench/index', `${name}.ts`))
await build({ ...SHARED, entryPoints, outdir, sourcemap: 'inline' })
const statuses = asked.map((name) => {
  const options = ['--enable-source-maps', join(outdir, `${name}.js`), cache, ...parts]
  return spawnSync(process.execPath, options, { cwd: root, stdio: 'inherit' }).status ?? 1
})
process.exit(Math.max(...statuses))
