// `npm run test:all -- real-agent`: runs test/real-agent with the real CLI against a fake model. SVC_REAL_AGENT_DIR: an
// existing installation; SVC_REAL_AGENT_VERSION: another version.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { install, installationFolder } from './install.mjs'
import { makeReady, root } from '../ready.mjs'

const PACKAGE = '@anthropic-ai/claude-code'
const VERSION = process.env.SVC_REAL_AGENT_VERSION ?? '2.1.329'

/** Returns why the program cannot run; null if it can. */
function fault(folder) {
  const result = spawnSync(join(folder, 'node_modules', '.bin', 'claude'), ['--version'], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (result.error) return result.error.message
  return result.status === 0
    ? null
    : `claude --version exited with ${result.status ?? result.signal}: ${result.stderr.trim()}`
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

/** A run without tests is a failure. */
function skip(reason) {
  process.exitCode = 1
  console.error(`error: the real agent could not be installed, so nothing was tested: ${reason}`)
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
      `error: the agent in SVC_REAL_AGENT_DIR (${given}) cannot be run: ${reason}\nhint: npm install --prefix ${given} ${PACKAGE}@${VERSION}`,
    )
  process.exit(reason ? 1 : run(given))
}
const folder = installationFolder('svc-real-agent-')
try {
  // npm may silently omit an optional package.
  const reason = install(folder, [`${PACKAGE}@${VERSION}`]) ?? fault(folder)
  if (reason) skip(reason)
  else process.exitCode = run(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
