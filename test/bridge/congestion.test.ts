import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { agentServer, startBridge, temporaryFolder } from './running.ts'

const FRAMES = 24_000
/** Writes frames of 1 KB after the first prompt, and records how many were accepted. */
const FLOOD = `
const { writeFileSync } = require('node:fs')
let count = 0
const send = (frame, sent) => process.stdout.write(JSON.stringify(frame) + '\\n', sent)
const pour = () => {
  if (count === ${FRAMES}) return send({ type: 'result', subtype: 'success', is_error: false, result: 'done', uuid: 'u' })
  send({ type: 'assistant', number: count, text: 'x'.repeat(1000) }, () => {
    if (++count % 500 === 0) writeFileSync('count', String(count))
    pour()
  })
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (JSON.parse(line).type === 'user') pour()
})`

test('lets a program wait while the server does not read, and loses nothing', async () => {
  const server = await agentServer()
  const directory = temporaryFolder()
  const command = [process.execPath, '-e', FLOOD]
  await startBridge(server, { runtime: 'command', command, directory })
  const { socket } = await server.connected()
  await server.next((frame) => frame['subtype'] === 'bridge')
  socket.pause()
  server.prompt('go')
  const count = () => {
    const file = join(directory, 'count')
    return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0
  }
  const written = await eventually(async () => {
    const before = count()
    await sleep(500)
    return before > 0 && count() === before && before
  })
  // The rest is in the buffers of the system.
  expect(written).toBeLessThan(FRAMES / 2)
  socket.resume()
  await server.result()
  const numbers = server.frames.filter(({ type }) => type === 'assistant').map(({ number }) => number as number)
  expect(numbers).toEqual(Array.from({ length: FRAMES }, (_each, at) => at))
})
