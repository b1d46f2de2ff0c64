import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../ready.mjs'

const FLAGS = ['--no-audit', '--no-fund', '--no-save', '--loglevel', 'error']

/** Not below /tmp or /dev/shm, which the sandbox of an agent replaces. */
export function installationFolder(prefix) {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, prefix))
}

/** Returns the reason of a failure; null on success. */
export function install(folder, packages) {
  console.log(`installing ${packages.join(' and ')} into ${folder} …`)
  const args = ['install', '--prefix', folder, ...FLAGS, ...packages]
  // `npm run` exports this project's setting, which blocks install scripts.
  const { npm_config_strict_allow_scripts: _, ...env } = process.env
  const { status, signal, error, stderr } = spawnSync('npm', args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: 600_000,
  })
  if (error) return `npm did not run: ${error.message}`
  return status === 0 ? null : `npm install exited with ${status ?? signal}: ${lastLine(stderr)}`
}

function lastLine(text) {
  const lines = text.trim().split('\n')
  return lines.find((line) => /npm error \S/.test(line)) ?? lines.at(-1) ?? 'no message'
}
