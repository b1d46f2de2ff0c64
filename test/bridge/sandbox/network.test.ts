import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { afterwards, agentServer, startBridge } from '../running.ts'
import { portsOf, sandboxStand, startInside } from './stand.ts'

async function service(): Promise<number> {
  const server = createHttpServer((request, response) => response.end(`answer to ${request.url}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterwards(() => server.close())
  return (server.address() as AddressInfo).port
}

/** Requests each URL, by the proxy if the variable is set, and prints `status text` lines. */
const CLIENT = `
const { request } = require('node:http')
const ask = (url) => new Promise((resolve) => {
  const proxy = url.startsWith('direct ') ? null : process.env.HTTP_PROXY
  const { hostname, port, pathname } = new URL(url.replace('direct ', ''))
  const target = proxy ? { host: '127.0.0.1', port: new URL(proxy).port, path: url } : { host: hostname, port, path: pathname }
  request({ ...target, headers: { host: hostname } }, async (response) => {
    let text = ''
    for await (const chunk of response) text += chunk
    resolve(response.statusCode + ' ' + text.trim())
  }).on('error', (error) => resolve(error.code)).end()
})
;(async () => { for (const url of process.argv.slice(1)) console.log(await ask(url)) })()`

const client = (...urls: string[]) => [process.execPath, '-e', CLIENT, ...urls]

test('reaches allowed hosts by the proxy, and reports others', async () => {
  const port = await service()
  const { server, bridge } = await startInside(
    {
      runtime: 'command',
      command: client(
        `http://localhost:${port}/a`,
        'http://refused.test/',
        'http://refused.test/',
        `direct http://127.0.0.1:${port}/d`,
      ),
    },
    { network: { mode: 'hosts', hosts: [`localhost:${port}`] } },
  )
  expect(await bridge.exit).toBe(0)
  const refusal = '403 svc sandbox: host refused.test is not in network.hosts'
  const answers = bridge.output.split('\n').flatMap((line) => / \| (\d{3} .*)/.exec(line)?.[1] ?? [])
  expect(answers).toEqual(['200 answer to /a', refusal, refusal, '200 answer to /d'])
  expect(bridge.output).toContain('refused.test:80 is not reachable (1): add it to sandbox.network.hosts')
  const frames = server.frames.filter(({ type }) => type === 'sandbox_refused')
  expect(frames).toEqual([
    { type: 'sandbox_refused', host: 'refused.test', port: 80, count: 1, uuid: expect.any(String) },
  ])
})

test.each(['none', 'hosts'] as const)('reaches the daemon alone on loopback with network %s', async (mode) => {
  const [tools, other] = [await service(), await service()]
  const stand = sandboxStand({ network: { mode, hosts: [] } })
  const server = await agentServer()
  const addresses = { ...portsOf(server), tools_url: `http://127.0.0.1:${tools}/mcp` }
  const urls = [`direct http://127.0.0.1:${tools}/mcp`, `direct http://127.0.0.1:${other}/`]
  const bridge = await startBridge(server, { ...stand, ...addresses, runtime: 'socket', command: client(...urls) })
  expect([await bridge.exit, bridge.output]).toEqual([0, '200 answer to /mcp\nECONNREFUSED\n'])
})

test('does not forward a report of refused hosts that the program wrote', async () => {
  const forged = JSON.stringify({ type: 'sandbox_refused', host: 'evil.test', port: 443, count: 1 })
  const { server, bridge } = await startInside({ runtime: 'command', command: ['sh', '-c', `echo '${forged}'; cat`] })
  await eventually(() => bridge.output.includes('evil.test'))
  expect(server.frames.filter(({ type }) => type === 'sandbox_refused')).toEqual([])
})
