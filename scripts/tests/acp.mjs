// `npm run test:all -- acp`: the bridge's tests of the Agent Client Protocol against an agent on the protocol's official
// library, which is installed into a temporary folder; SVC_ACP_SDK_DIR names one where it is.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeReady } from '../ready.mjs'
import { vitest } from './vitest.mjs'

const PACKAGE = '@agentclientprotocol/sdk@2.4.0'

/** Why that failed; null when it did not. */
function install(folder) {
  console.log(`installing ${PACKAGE} into ${folder} …`)
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', '--loglevel', 'error', PACKAGE]
  const { status, error, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (error) return `npm did not run: ${error.message}`
  return status === 0 ? null : `npm install ended with ${status}: ${stderr.trim()}`
}

makeReady()
const given = process.env.SVC_ACP_SDK_DIR
const folder = given ?? mkdtempSync(join(tmpdir(), 'svc-acp-'))
try {
  const fault = given ? null : install(folder)
  if (fault) {
    console.error(`error: the library could not be installed, so that nothing ran: ${fault}`)
    process.exitCode = 1
  } else
    process.exitCode = vitest(['test/bridge/acp', 'test/services/orchestrator/acp.test.ts'], {
      SVC_ACP_SDK_DIR: folder,
    })
} finally {
  if (!given) rmSync(folder, { recursive: true, force: true })
}
