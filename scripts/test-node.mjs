// `npm run test:node -- 24 [ARGUMENT…]`: `npm ci` and `npm test` under another Node, in a copy of the checkout. Passes
// arguments to the tests.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { root } from './ready.mjs'
import { install } from './tests/install.mjs'

const [version, ...args] = process.argv.slice(2)
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('error: expected a version of Node, such as 24\nhint: npm run test:node -- 24')
  process.exit(64)
}

const home = mkdtempSync(join(tmpdir(), `svc-node-${version}-`))
// Tests start an agent as another user.
chmodSync(home, 0o755)
const copy = join(home, 'checkout')
const node = join(home, 'node')
// Drops variables that `npm run` sets for this checkout.
const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
const env = { ...Object.fromEntries(own), PATH: [join(node, 'node_modules', '.bin'), process.env.PATH].join(delimiter) }

function copyCheckout() {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options)
  for (const path of listed.split('\0')) {
    // A tracked file may be deleted.
    if (path !== '' && existsSync(join(root, path)))
      cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true, preserveTimestamps: true })
  }
}

function run(command, words) {
  const child = spawn(command, words, { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (data) => {
    process.stdout.write(data)
    text = (text + data).slice(-10_000)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status: status ?? 1, counts: text.match(/^\d+ passed, .*$/gm)?.at(-1) }))
  })
}

// Children end on SIGINT; this process removes the folder.
process.on('SIGINT', () => undefined)
try {
  for (const folder of [copy, node]) mkdirSync(folder)
  const failure = install(node, [`node@${version}`])
  if (failure !== null) throw new Error(failure)
  copyCheckout()
  const versionOf = (program) => execFileSync(program, ['--version'], { env, encoding: 'utf8' }).trim()
  const versions = `Node ${versionOf('node')}, npm ${versionOf('npm')}`
  console.log(`${versions}: npm ci and npm test in ${copy}`)
  const installed = await run('npm', ['ci'])
  const tested = installed.status === 0 ? await run('npm', ['test', '--', ...args]) : installed
  console.log(`\n${versions}: ${tested.counts ?? `failed with status ${tested.status}`}`)
  process.exitCode = tested.status
} catch (error) {
  console.error(`error: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
