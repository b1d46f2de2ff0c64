import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentServer, startBridge, temporaryFolder } from './running.ts'

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
const example = /```js\n(.*?)```/s.exec(page)![1]!

test('guards the program in docs/agents.md, which requests tools', async () => {
  const directory = temporaryFolder()
  writeFileSync(join(directory, 'reviewer.mjs'), example)
  const server = await agentServer()
  await startBridge(server, { runtime: 'command', command: ['node', 'reviewer.mjs'], directory })
  expect(await server.next((frame) => frame['subtype'] === 'bridge')).toMatchObject({
    agent_version: '1.0.0',
    guarded: true,
  })
  server.prompt('three short words')
  server.allow(await server.question())
  expect((await server.result())['result']).toBe('words: 3')
  const from = server.frames.length
  server.prompt('again')
  server.deny(await server.question(from), 'not now')
  expect((await server.result(from))['result']).toBe('I may not count: not now')
})

test('finds every exit code and close code on the page', () => {
  const sources = [
    'link.ts',
    'launch-file.ts',
    'program.ts',
    'program-lookup.ts',
    'main.ts',
    'acp/conversation.ts',
    'sandbox/sandbox.ts',
  ]
    .map((file) => readFileSync(new URL(`../../bridge/${file}`, import.meta.url), 'utf8'))
    .join('\n')
  const closeCodes = [...sources.matchAll(/^ {2}(\d{4}): '/gm)].map((match) => match[1]!)
  const exitCodes = [...sources.matchAll(/,\s*(\d{2,3}),\s*(?:['`]|hint)/g)].map((match) => match[1]!)
  expect(closeCodes).toHaveLength(4)
  expect(new Set(exitCodes)).toEqual(new Set(['64', '66', '71', '78', '126', '127']))
  for (const code of [...closeCodes, ...exitCodes, '75']) expect(page).toMatch(new RegExp(`\\b${code}\\b`))
})
