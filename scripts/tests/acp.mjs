// `npm run test:all -- acp`: tests the bridge against an agent on the official Agent Client Protocol library.
// SVC_ACP_SDK_DIR: an existing installation.
import { rmSync } from 'node:fs'
import { install, installationFolder } from './install.mjs'
import { makeReady } from '../ready.mjs'
import { vitest } from './vitest.mjs'

const PACKAGE = '@agentclientprotocol/sdk@2.4.0'

makeReady()
const given = process.env.SVC_ACP_SDK_DIR
const folder = given ?? installationFolder('svc-acp-')
try {
  const fault = given ? null : install(folder, [PACKAGE])
  if (fault) {
    console.error(`error: the library could not be installed, so nothing was tested: ${fault}`)
    process.exitCode = 1
  } else
    process.exitCode = vitest(['test/bridge/acp', 'test/services/orchestrator/acp.test.ts'], {
      SVC_ACP_SDK_DIR: folder,
    })
} finally {
  if (!given) rmSync(folder, { recursive: true, force: true })
}
