import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createLog, type Log } from '../../../../platform/core/log/log.ts'
import { Secret } from '../../../../schemas/secret.ts'
import { eventually } from '../../../support/eventually.ts'

/** Output of a log of this format. */
async function written(format: 'json' | 'text', work: (log: Log) => void, level = 'info'): Promise<string> {
  let text = ''
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk)
      done()
    },
  })
  const log = createLog({ level, format }, stream)
  work(log)
  log.error({}, 'the end')
  await eventually(() => text.includes('the end'))
  return text
}

describe.each(['json', 'text'] as const)('the %s log', (format) => {
  test('prints its message and facts', async () => {
    const text = await written(format, (log) => log.info({ agent_id: 'a1', count: 3 }, 'agent started'))
    expect(text).toContain('agent started')
    expect(text).toMatch(format === 'json' ? /"agent_id":"a1","count":3/ : /INFO: agent started: a1, count 3\n/)
  })

  test('masks a Secret anywhere in a record', async () => {
    const secret = new Secret('hunter2')
    const text = await written(format, (log) => {
      log.info({ value: secret, list: [secret], deep: { er: { still: secret } } }, 'facts')
      log.child({ bound: secret }).warn({}, 'bound facts')
      log.error({ err: Object.assign(new Error('failed'), { cause_of: secret }) }, 'an error')
      log.info({}, `a message ${String(secret)}`)
      log.info({ nested: { secret }, json: JSON.stringify({ secret }) }, 'copies')
    })
    expect(text).not.toContain('hunter2')
    expect(text.match(/\*\*\*/g)?.length).toBeGreaterThanOrEqual(8)
  })

  test('masks plain values named token, secret or authorization', async () => {
    const text = await written(format, (log) => {
      log.info({ req: { headers: { authorization: 'Bearer hunter2', host: 'localhost' } } }, 'request')
      log.info(
        { agent: { token: 'hunter2' }, hook: { secret: 'hunter2' }, peer: { authorization: 'hunter2' } },
        'facts',
      )
      log.info({ token: 'hunter2', secret: 'hunter2', authorization: 'hunter2' }, 'facts at the top')
    })
    expect(text).not.toContain('hunter2')
    expect(text).toContain('localhost')
  })
})

test('omits lower levels, and treats an unknown level as info', async () => {
  const work = (log: Log) => {
    log.debug({}, 'one-debug')
    log.info({}, 'one-info')
    log.warn({}, 'one-warn')
  }
  expect(await written('json', work, 'warn')).not.toMatch(/one-(debug|info)/)
  expect(await written('json', work, 'debug')).toMatch(/one-debug[^]*one-info/)
  const unknown = await written('json', work, 'verbose')
  expect(unknown).toContain('one-info')
  expect(unknown).not.toContain('one-debug')
})
