// `npm run bench:index`: how well the code index answers, on packages that nothing was learnt from, and how fast it is on as
// many of their sources as make 40 MB. They are fetched once, by the ordinary clients of npm and Debian.
// `-- quality`, `-- peers` and `-- speed` run one of the three; `-- speed agentic` one part of it, as its file says. Peers are
// other searches of code, side by side with ours: they are installed once by npm, in a folder of their own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { SHARED } from './build.mjs'
import { makeReady, root } from './ready.mjs'

makeReady()
const packages = JSON.parse(readFileSync(join(root, 'test/bench/code-index/packages.json'), 'utf8'))
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

const PEERS = { codegraph: '@colbymchenry/codegraph@1.6.1', probe: '@probelabs/probe@0.6.0-rc325' }
const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' }

/** What cannot be installed is missing in the folder, and told by the bench. */
function fetchPeers(folder) {
  const attempt = (command, args) => spawnSync(command, args, { cwd: folder, stdio: 'ignore' }).status === 0
  mkdirSync(folder, { recursive: true })
  if (!existsSync(join(folder, 'node_modules/.bin/codegraph'))) {
    writeFileSync(join(folder, 'package.json'), '{"private": true}')
    attempt('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', PEERS.codegraph])
  }
  if (existsSync(join(folder, 'probe'))) return
  // One of its dependencies is not on the registry, and its program, which stands in the package, needs none of them.
  attempt('npm', ['pack', '--silent', PEERS.probe])
  const packed = readdirSync(folder).find((name) => name.startsWith('probelabs-probe-') && name.endsWith('.tgz'))
  if (packed === undefined || !attempt('tar', ['xzf', packed])) return
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl'
  const binaries = join(folder, 'package/bin/binaries')
  const fits = (name) => name.endsWith(`-${ARCHITECTURES[process.arch]}-${system}.tar.gz`)
  const program = existsSync(binaries) ? readdirSync(binaries).find(fits) : undefined
  mkdirSync(join(folder, 'unpacked'), { recursive: true })
  const isUnpacked = program !== undefined && attempt('tar', ['xzf', join(binaries, program), '-C', 'unpacked'])
  if (isUnpacked) renameSync(join(folder, 'unpacked'), join(folder, 'probe'))
  for (const name of ['package', packed]) rmSync(join(folder, name), { recursive: true })
}

fetchNpm(Object.keys(packages.typescript.npm))
fetchDebian([...packages.python.debian, ...packages.rust.debian])

// Below node_modules, so that the packages left out of the bundle are found from there.
const outdir = join(root, 'node_modules', '.cache', 'svc', 'bench-index')
rmSync(outdir, { recursive: true, force: true })
mkdirSync(outdir, { recursive: true })
const [chosen, ...parts] = process.argv.slice(2)
const asked = ['quality', 'peers', 'speed'].filter((name) => chosen === undefined || chosen === name)
const peers = join(cache, 'index-peers')
if (asked.includes('peers')) fetchPeers(peers)
const entryPoints = asked.map((name) => join(root, 'test/bench/index', `${name}.ts`))
await build({ ...SHARED, entryPoints, outdir, sourcemap: 'inline' })
const statuses = asked.map((name) => {
  const options = ['--enable-source-maps', join(outdir, `${name}.js`), cache, ...(name === 'peers' ? [peers] : parts)]
  return spawnSync(process.execPath, options, { cwd: root, stdio: 'inherit' }).status ?? 1
})
process.exit(Math.max(...statuses))
