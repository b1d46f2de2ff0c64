// Claude Code in a sandbox: the question for its version, and what its system prompt says.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { agentServer, startBridge } from './running.ts'
import { portsOf, sandboxStand } from './sandbox/stand.ts'

/** An older program, which does not name its version when it is initialized. */
const program = (outside: string) => `#!/bin/sh
if [ "$1" = --version ]; then
  touch ${outside} 2>/dev/null && echo 1.0.0 || echo 2.0.0
  exit
fi
printf "%s\\n" "$@" > words.new
mv words.new words
while read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"request_id":"\\([^"]*\\)".*/\\1/p')
  [ -z "$id" ] ||
    printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":{}}}\\n' "$id"
done
`

async function startClaude(isSandboxed: boolean) {
  const { folder, directory, sandbox } = sandboxStand({ network: { mode: 'hosts', hosts: ['api.example.org'] } })
  const command = [join(directory, 'claude')]
  writeFileSync(command[0]!, program(join(folder, 'outside')))
  chmodSync(command[0]!, 0o755)
  const server = await agentServer()
  await startBridge(server, {
    runtime: 'claude-code',
    command,
    directory,
    sandbox: isSandboxed ? sandbox : null,
    system_prompt: 'Be brief.',
    env: { ANTHROPIC_API_KEY: 'key' },
    ...portsOf(server),
  })
  const { agent_version } = await server.next((frame) => frame['subtype'] === 'bridge')
  const words = await eventually(
    () => existsSync(join(directory, 'words')) && readFileSync(join(directory, 'words'), 'utf8'),
  )
  return { directory, words, version: agent_version, wroteOutside: existsSync(join(folder, 'outside')) }
}

test('asks the program for its version in the sandbox', async () => {
  expect(await startClaude(true)).toMatchObject({ version: '2.0.0', wroteOutside: false })
  expect(await startClaude(false)).toMatchObject({ version: '1.0.0', wroteOutside: true })
})

test('tells the agent in one line of its system prompt where it may write', async () => {
  const { words, directory } = await startClaude(true)
  expect(words).toContain(
    `\nBe brief.\n\nYou run in a sandbox: you can write only below ${directory}, /tmp; network hosts: api.example.org.\n`,
  )
})
