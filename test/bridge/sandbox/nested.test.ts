import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentServer } from '../running.ts'
import { ANOTHER, giveTo, sandboxStand, shell, startBridgeIn, users } from './stand.ts'

const isRoot = process.getuid?.() === 0
const { uid } = isRoot ? ANOTHER : users[0]!

async function runIn(nested: boolean, user: number | null) {
  const stand = sandboxStand({ nested }, user)
  const hidden = join(stand.folder, 'hidden')
  mkdirSync(hidden)
  writeFileSync(join(hidden, 'word'), 'the-secret')
  giveTo(user, hidden)
  const inner = `cat ${hidden}/word; umount ${hidden}; cat ${hidden}/word; echo x > ${stand.folder}/outside; echo it is nested`
  const script = `bwrap --unshare-user --unshare-pid --bind / / --dev /dev --proc /proc sh -c '${inner}'; exit 0`
  const sandbox = { ...stand.sandbox, hide: [hidden] }
  const bridge = startBridgeIn(stand, await agentServer(), { ...shell(script), sandbox })
  return { exit: await bridge.exit, output: bridge.output }
}

describe('nested: true', () => {
  test('lets a program start a sandbox of its own, which opens nothing', async () => {
    const { output } = await runIn(true, uid)
    expect(output).toContain('it is nested')
    expect(output).toContain('outside: Read-only file system')
    expect(output).not.toContain('the-secret')
  })

  test('is a fault for root', async (context) => {
    if (!isRoot) return context.skip('needs root')
    const { exit, output } = await runIn(true, null)
    expect([exit, output]).toEqual([71, expect.stringContaining('nested: true needs another user than root')])
  })
})

test('refuses user namespaces without nested: true', async () => {
  const { output } = await runIn(false, uid)
  expect(output).not.toContain('it is nested')
  expect(output).toMatch(/bwrap: /)
})
