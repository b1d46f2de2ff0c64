// The health of the process in the health of each service.
import { expect, onTestFinished, test } from 'vitest'
import { sqliteDatabase } from '../../support/databases.ts'
import { eventually } from '../../support/eventually.ts'
import { ask } from '../../support/http.ts'
import { startServices } from '../../support/services.ts'
import { notes } from './scratch-service.ts'

/** Blocks the event loop. */
const block = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('reports a service whose event loop is blocked as degraded, with its own fields', async () => {
  const { url, remove } = await sqliteDatabase()
  const stand = await startServices([notes], { url })
  onTestFinished(async () => {
    await stand.close()
    await remove()
  })
  const health = async () => (await ask('GET', `${stand.host.urls.notes}/health`)).body
  const degraded = await eventually(async () => {
    block(1200)
    const found = await health()
    return found.status === 'degraded' && found
  })
  expect(degraded).toMatchObject({
    notes: 0,
    reason: expect.stringMatching(/^the event loop was blocked for \d\.\d s/),
  })
})
