import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { counted } from '../../support/counts.ts'
import { AttackedDaemon } from './attacked-daemon.ts'

const MIB = 1024 * 1024
const [FRAMES, FRAME_BYTES] = [200, MIB]

test(`keeps its memory bounded over ${FRAMES} MiB of frames`, { timeout: 120_000 }, async () => {
  const attacked = await AttackedDaemon.start()
  onTestFinished(() => attacked.close())
  const { pid } = JSON.parse(readFileSync(join(attacked.stand.dataDir, 'runtime.json'), 'utf8')) as { pid: number }
  const resident = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024
  const id = await attacked.createByHand('loud')
  const loud = await attacked.connect(id)
  const before = resident()
  let most = 0
  const content = [{ type: 'text', text: 'x'.repeat(FRAME_BYTES) }]
  const frame = JSON.stringify({ type: 'assistant', message: { role: 'assistant', content } })
  for (let sent = 1; sent <= FRAMES; sent++) {
    await new Promise<void>((done) => loud.socket.send(`${frame}\n`, () => done()))
    most = Math.max(most, resident())
    if (sent % 50 === 0) await attacked.assertWell()
  }
  counted('frames: MiB of frames', FRAMES)
  expect(most - before).toBeLessThan(400 * MIB)
})
