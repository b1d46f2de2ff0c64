// The program of a flooding agent. `approvals`: asks for a tool as fast as it can write; otherwise sends the given
// request, with `%` replaced by a number, over many connections. Stops after some seconds, but keeps running.
import { writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , kind, seconds, url = '', body = ''] = process.argv
const CONNECTIONS = 16
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
let count = 0

function send(text) {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${process.env.SVC_TOOLS_TOKEN}` }
    const asked = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    asked.on('error', resolve)
    asked.end(text)
  })
}

async function pour() {
  while (Date.now() < until) await send(body.replaceAll('%', String(count++)))
}

/** Blocks while the pipe is full, as most programs do. */
function writeAll(text) {
  for (let rest = Buffer.from(text); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}

async function ask() {
  while (Date.now() < until) {
    const input = { command: `echo ${count}` }
    const frame = { type: 'control_request', request_id: `q${count++}` }
    writeAll(`${JSON.stringify({ ...frame, request: { subtype: 'can_use_tool', tool_name: 'Bash', input } })}\n`)
  }
}

process.stdin.resume()
// The agent must be connected, so that it can be told apart from its start.
await sleep(2000)
const until = Date.now() + Number(seconds) * 1000
if (kind === 'approvals') await ask()
else await Promise.all(Array.from({ length: CONNECTIONS }, pour))
