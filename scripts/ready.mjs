// Imports only Node's own modules, because packages may be missing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuildCurrent } from './build-state.mjs'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const LEAST_NODE = [20, 19]

export function missing() {
  const faults = []
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
    faults.push({
      what: `Node ${process.versions.node} is too old, expected ${LEAST_NODE.join('.')} or newer`,
      bring: installCommand('node'),
    })
  }
  for (const program of ['git', 'tmux']) {
    if (!runs(program, program === 'tmux' ? '-V' : '--version'))
      faults.push({ what: `${program} is not installed`, bring: installCommand(program) })
  }
  return faults
}

function runs(program, flag) {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function installCommand(program) {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  const package_ =
    program === 'node'
      ? { apt: 'nodejs npm', dnf: 'nodejs', brew: 'node' }
      : { apt: program, dnf: program, brew: program }
  const commands = {
    apt: `${sudo}apt-get update && ${sudo}apt-get install -y ${package_.apt}`,
    dnf: `${sudo}dnf install -y ${package_.dnf}`,
    brew: `brew install ${package_.brew}`,
  }
  const manager =
    process.platform === 'darwin' ? 'brew' : ['apt', 'dnf', 'brew'].find((name) => runs(name, '--version'))
  const note =
    program === 'node' && manager !== 'brew' ? ' (or from https://nodejs.org, if your system has an older one)' : ''
  return manager ? commands[manager] + note : `one of: ${Object.values(commands).join(' | ')}${note}`
}

export function installed() {
  const record = join(root, 'node_modules', '.package-lock.json')
  return existsSync(record) && statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
}

/** Checks and installs. Exits if a program is missing. */
export function makeInstalled() {
  const faults = missing()
  if (faults.length > 0) {
    for (const fault of faults) console.error(`error: ${fault.what}\nhint: ${fault.bring}`)
    process.exit(1)
  }
  if (installed()) return
  console.error('installing packages with npm ci (about half a minute) …')
  const result = spawnSync(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['ci', '--ignore-scripts=false', '--no-progress'],
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
  )
  if (result.status !== 0) {
    console.error('error: npm ci failed (see above)\nhint: check the network, then run "npm ci" and try again')
    process.exit(result.status || 1)
  }
}

/** Checks, installs and builds. Exits on failure. */
export function makeReady() {
  makeInstalled()
  if (isBuildCurrent()) return
  const built = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (built.status !== 0) process.exit(built.status || 1)
}
