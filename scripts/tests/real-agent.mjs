// `npm run test:all -- real-agent`: installs the real CLI into a temporary folder and runs test/real-agent against a fake
// model.
// SVC_REAL_AGENT_DIR names a folder where it is installed already; SVC_REAL_AGENT_VERSION another version.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeReady, root } from '../ready.mjs'

const PACKAGE = '@anthropic-ai/claude-code'
const VERSION = process.env.SVC_REAL_AGENT_VERSION ?? '2.1.329'

/** Why the program in `folder` cannot be run; null when it can. */
function fault(folder) {
  const result = spawnSync(join(folder, 'node_modules', '.bin', 'claude'), ['--version'], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (result.error) return result.error.message
  return result.status === 0
    ? null
    : `claude --version ended with ${result.status ?? result.signal}: ${result.stderr.trim()}`
}

/**
 * Installs into `folder`; why that failed, or null. The program itself is an optional package for this platform, so
 * npm may leave it out without an error.
 */
function install(folder) {
  console.log(`installing ${PACKAGE}@${VERSION} (some 400 MB) into ${folder} …`)
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--loglevel',
    'error',
    `${PACKAGE}@${VERSION}`,
  ]
  const result = spawnSync('npm', args, { encoding: 'utf8', cwd: folder, env: ownEnvironment(), timeout: 600_000 })
  if (result.error) return `npm did not run: ${result.error.message}`
  if (result.status !== 0) return `npm install ended with ${result.status ?? result.signal}: ${lastLine(result.stderr)}`
  return fault(folder)
}

/** `npm run` hands its project's settings on, which are not meant for the agent's own install. */
function ownEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_strict/i.test(name)))
}

function lastLine(text) {
  const lines = text
    .trim()
    .split('\n')
    .filter((line) => !/A complete log|^npm (error|warn)\s*$/.test(line))
  return lines.find((line) => /npm error/.test(line)) ?? lines.at(-1) ?? 'no message'
}

function vitest(command, options) {
  return spawnSync(
    process.execPath,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      command,
      '--config',
      join(root, 'test', 'real-agent', 'vitest.config.ts'),
      ...process.argv.slice(2),
    ],
    { cwd: root, ...options },
  )
}

/** Nothing was tested, which is no success. */
function skip(reason) {
  process.exitCode = 1
  console.error(`error: the real agent could not be installed, so that nothing ran: ${reason}`)
  const listed = vitest('list', { encoding: 'utf8' }).stdout
  console.log(`0 passed, 0 failed, ${listed.match(/ > /g)?.length ?? 0} skipped`)
}

function run(folder) {
  return vitest('run', { stdio: 'inherit', env: { ...process.env, SVC_REAL_AGENT_DIR: folder } }).status ?? 1
}

makeReady()
const given = process.env.SVC_REAL_AGENT_DIR
if (given) {
  const reason = fault(given)
  if (reason)
    console.error(
      `error: SVC_REAL_AGENT_DIR names a folder whose agent cannot be run (${given}): ${reason}\nhint: npm install --prefix ${given} ${PACKAGE}@${VERSION}`,
    )
  process.exit(reason ? 1 : run(given))
}
const folder = mkdtempSync(join(tmpdir(), 'svc-real-agent-'))
try {
  const reason = install(folder)
  if (reason) skip(reason)
  else process.exitCode = run(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
