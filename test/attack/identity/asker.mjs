// Sends requests for the test, which controls it over a socket: each over a new connection, from the user and session
// it runs in. Also serves as an agent's program.
import { execFile } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'

const [, , path] = process.argv

function http({ method, url, headers, body, localAddress }) {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { method, headers: { ...headers, ...length }, agent: false, localAddress }
    const asked = request(url, options, (response) => {
      // The stream is endless.
      if (response.headers['content-type']?.startsWith('text/event-stream'))
        return (response.destroy(), resolve({ status: response.statusCode, text: '' }))
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
    asked.on('upgrade', (_response, socket) => (socket.destroy(), resolve({ status: 101, text: '' })))
    asked.on('error', (error) => resolve({ status: 0, text: String(error) }))
    asked.end(body)
  })
}

function leave({ port, text, how }) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(text, () => {
        if (how === 'reset') socket.resetAndDestroy()
        else socket.destroy()
      }),
    )
    socket.on('error', () => undefined)
    socket.on('close', () => resolve({}))
  })
}

function run({ command }) {
  return new Promise((resolve) =>
    execFile(command[0], command.slice(1), (error, stdout, stderr) =>
      resolve({ code: error ? (error.code ?? 1) : 0, stdout, stderr }),
    ),
  )
}

const KINDS = { http, leave, run, env: () => process.env, end: () => process.exit() }

createServer((socket) => {
  createInterface({ input: socket }).on('line', (line) => {
    const { kind, ...input } = JSON.parse(line)
    void Promise.resolve(KINDS[kind](input)).then((answer) => socket.write(`${JSON.stringify(answer)}\n`))
  })
  socket.on('error', () => undefined)
}).listen(path, () => chmodSync(path, 0o777))
process.stdin.resume()
