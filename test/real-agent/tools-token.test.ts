import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentServer, startBridge, temporaryFolder } from '../bridge/running.ts'
import { eventually } from '../support/eventually.ts'
import { startFakeModel, type FakeModel } from './fake-model.ts'
import { claudeProgram, forgetOwnAgent, offlineEnvironment } from './real-agent.ts'

let model: FakeModel
const asked: IncomingHttpHeaders[] = []
const tools = createServer((request, response) => {
  asked.push(request.headers)
  response.writeHead(401).end()
})
beforeAll(async () => {
  forgetOwnAgent()
  model = await startFakeModel()
  await once(tools.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  tools.close()
  await model?.stop()
})

test('sends the token to svc’s tools, not in any argument', async () => {
  const folder = temporaryFolder()
  const directory = join(folder, 'project')
  mkdirSync(directory)
  const server = await agentServer()
  const { child } = await startBridge(server, {
    runtime: 'claude-code',
    command: [claudeProgram()],
    directory,
    env: offlineEnvironment(model, folder),
    tools_url: `http://127.0.0.1:${(tools.address() as AddressInfo).port}/mcp`,
  })
  await eventually(() => asked.length > 0, 30_000)
  expect(asked[0]).toMatchObject({ authorization: 'Bearer tools-of-agent-1', 'x-svc-agent': 'agent-1' })
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  for (const pid of children) expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('tools-of-agent-1')
})
