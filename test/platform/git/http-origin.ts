// A repository behind a real git server over HTTP, optionally with a password.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Origin } from './origin.ts'

export interface Served {
  url: string
  /** Path and query of each request, in order. */
  requests: string[]
  close(): void
}

/** A 401 echoes the credentials that it received. */
export async function servedOverHttp(
  origin: Pick<Origin, 'home'>,
  password?: string,
  username = 'bot',
): Promise<Served> {
  const wanted = password && `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url!)
    const { authorization = '' } = request.headers
    if (!wanted || authorization === wanted) return answer(request, response, origin)
    const given = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
    response.writeHead(401, { 'www-authenticate': 'Basic realm="team"' }).end(`no: ${authorization} ${given}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/team`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url, requests, close }
}

const backend = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim() + '/git-http-backend'

/** Runs git's own CGI program. */
function answer(request: IncomingMessage, response: ServerResponse, origin: Pick<Origin, 'home'>): void {
  const { pathname, search } = new URL(request.url!, 'http://x')
  const program = spawn(backend, {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: origin.home,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  request.pipe(program.stdin)
  const pieces: Buffer[] = []
  program.stdout.on('data', (piece: Buffer) => pieces.push(piece))
  program.once('close', () => {
    const said = Buffer.concat(pieces)
    const end = said.indexOf('\r\n\r\n')
    const headers = said
      .toString('latin1', 0, end)
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string])
    const { Status = '200', ...rest } = Object.fromEntries(headers)
    response.writeHead(Number.parseInt(Status, 10), rest).end(said.subarray(end + 4))
  })
}
