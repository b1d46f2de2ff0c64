import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type LookupFunction, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { isPrivateAddress, publicLookup } from '../../../bridge/sandbox/addresses.ts'
import { AllowListProxy } from '../../../bridge/sandbox/proxy.ts'

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const toLoopback: LookupFunction = (_host, options, report) =>
  options.all ? report(null, [{ address: '127.0.0.1', family: 4 }]) : report(null, '127.0.0.1', 4)

interface Stand {
  proxyPort: number
  refused: string[]
}

async function proxy(hosts: string[], lookup?: LookupFunction): Promise<Stand> {
  const refused: string[] = []
  const onRefusal = (host: string, port: number) => void refused.push(`${host}:${port}`)
  const own = new AllowListProxy({ hosts, onRefusal, ...(lookup ? { lookup } : {}) })
  const proxyPort = await listen(createServer((socket) => own.take(socket)))
  return { proxyPort, refused }
}

const upstream = () =>
  listen(
    createHttpServer((request, response) =>
      response.end(`${request.method} ${request.url} for ${request.headers.host}`),
    ),
  )

/** Sends requests on one connection, each after the answer of the one before. */
async function talk(port: number, requests: string[], ends: RegExp[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1')
  const answers: string[] = []
  for (const [index, request] of requests.entries()) {
    let answer = ''
    const isWhole = new Promise<void>((resolve) => {
      const take = (text: Buffer) => {
        answer += text.toString()
        if (!ends[index]!.test(answer)) return
        socket.off('data', take)
        resolve()
      }
      socket.on('data', take)
      socket.once('close', () => resolve())
    })
    socket.write(request)
    await isWhole
    answers.push(answer)
  }
  socket.destroy()
  return answers
}

const get = (url: string) => `GET ${url} HTTP/1.1\r\nHost: other.test\r\nProxy-Connection: keep-alive\r\n\r\n`

test('checks each request of a kept connection', async () => {
  const port = await upstream()
  const { proxyPort, refused } = await proxy([`*.open.test:${port}`], toLoopback)
  const requests = [
    get(`http://a.open.test:${port}/x?y`),
    get('http://refused.test/'),
    get(`http://b.open.test:${port}/`),
  ]
  const answers = await talk(proxyPort, requests, [/x\?y for .*/, /hosts\n/, /GET \/ for/])
  expect(answers[0]).toContain(`GET /x?y for a.open.test:${port}`)
  expect(answers[1]).toMatch(/^HTTP\/1.1 403 .*svc sandbox: host refused.test is not in network.hosts\n/s)
  expect(answers[2]).toContain(`GET / for b.open.test:${port}`)
  expect(refused).toEqual(['refused.test:80'])
})

test('tunnels to allowed hosts only', async () => {
  const port = await upstream()
  const { proxyPort, refused } = await proxy([`open.test:${port}`], toLoopback)
  const { proxyPort: wild } = await proxy([`*.test:${port}`], toLoopback)
  const requests = [`CONNECT open.test:${port} HTTP/1.1\r\n\r\n`, 'GET /in HTTP/1.1\r\nHost: h\r\n\r\n']
  const [refusal] = await talk(proxyPort, ['CONNECT shut.test:443 HTTP/1.1\r\n\r\n'], [/hosts\n/])
  expect(refusal).toMatch(/^HTTP\/1.1 403 Forbidden.*svc sandbox: host shut.test is not in network.hosts\n$/s)
  expect(refused).toEqual(['shut.test:443'])
  expect((await talk(wild, requests, [/established\r\n\r\n/, /GET/]))[1]).toContain('GET /in for h')
})

test('refuses names of private addresses, unless they are named with their port', async () => {
  const port = await upstream()
  const resolved = publicLookup((_host, report) => report(null, [{ address: '127.0.0.1', family: 4 }]))
  const { proxyPort, refused } = await proxy(['rebound.test', `localhost:${port}`], resolved)
  const [plain] = await talk(proxyPort, [get('http://rebound.test/')], [/hosts\n/])
  const [tunnel] = await talk(proxyPort, ['CONNECT rebound.test:443 HTTP/1.1\r\n\r\n'], [/hosts\n/])
  for (const answer of [plain, tunnel])
    expect(answer).toMatch(
      /^HTTP\/1.1 403 .*rebound.test resolves to the private address 127.0.0.1: name it with its port/s,
    )
  expect(refused).toEqual(['rebound.test:80', 'rebound.test:443'])
  expect((await talk(proxyPort, [get(`http://localhost:${port}/named`)], [/named/]))[0]).toContain('GET /named')
})

test.each([
  ['an origin form', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['another scheme', get('https://open.test/'), 400],
  ['a tunnel without a port', 'CONNECT open.test HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an address', get('http://127.0.0.1/'), 403],
  ['an address in another form', get('http://0x7f000001/'), 403],
  ['a tunnel to an address', 'CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: x\r\n\r\n', 403],
  ['an IPv6 address', get('http://[::1]/'), 403],
  ['another port of an allowed host', get('http://open.test:22/'), 403],
])('refuses %s', async (_title, request, status) => {
  const { proxyPort } = await proxy(['open.test'], toLoopback)
  expect((await talk(proxyPort, [request], [/\n$/]))[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('reports an allowed host that cannot be reached', async () => {
  const gone = createServer()
  const port = await listen(gone)
  await new Promise((resolve) => gone.close(resolve))
  const { proxyPort } = await proxy([`gone.test:${port}`, `localhost:${port}`])
  for (const request of [get(`http://localhost:${port}/`), `CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`])
    expect((await talk(proxyPort, [request], [/\n$/]))[0]).toMatch(/^HTTP\/1.1 502 .*no connection to localhost:/s)
})

test('knows addresses of this host, of its networks and of metadata services', () => {
  const near =
    '127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 169.254.169.254 100.100.100.200 168.63.129.16 0.0.0.0 255.255.255.255 ' +
    '224.0.0.1 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 fd00:ec2::254 fe80::1 fe80::1%eth0 ff02::1 2002:7f00:1::'
  expect(near.split(' ').filter((address) => !isPrivateAddress(address))).toEqual([])
  const far = '1.1.1.1 172.32.0.1 192.169.0.1 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808'
  expect(far.split(' ').filter(isPrivateAddress)).toEqual([])
})
