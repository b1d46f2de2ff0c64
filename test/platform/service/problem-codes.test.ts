// The code of a problem reaches every kind of client.
import * as Type from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '../../../cli/http-client.ts'
import { Problem } from '../../../platform/core/problem.ts'
import { createClient } from '../../../platform/http/client.ts'
import { implement } from '../../../platform/http/implement.ts'
import { defineService, serve } from '../../../platform/service/define.ts'
import type { World } from '../../../platform/service/world.ts'
import { lines, operation, operations } from '../../../schemas/operations/operation.ts'
import { PROBLEM_CODES, STATUS_CODES, type ProblemCode, type ProblemStatus } from '../../../schemas/problem.ts'
import { sqliteDatabase } from '../../support/databases.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

const codes = Object.keys(PROBLEM_CODES) as ProblemCode[]
const statusOf = (code: ProblemCode): ProblemStatus => {
  const [status = 409] = Object.entries(STATUS_CODES).find(([, usual]) => usual === code) ?? []
  return Number(status) as ProblemStatus
}

const body = Type.Object({ code: Type.String() }, { $id: 'Refusal' })
const Line = Type.Object({ type: Type.String() }, { $id: 'Line' })
const shared = { summary: 'Refuse with a code', body, guard: 'none' } as const
const refuse = operation('refuser.refuse', 'POST /refuse', { ...shared, reply: { 204: null } })
const refuseLate = lines('refuser.refuseLate', 'POST /late', { ...shared, line: Line })
const group = operations({ service: 'refuser', port: 17098 }, { refuse, refuseLate })

let world: World
const refuser = serve(
  defineService({
    operations: group,
    settings: {},
    migrations: { prefix: 'refuser', steps: [] },
    open: (opened) => ((world = opened), {}),
  }),
  (app) => {
    const problem = (code: string) => new Problem(statusOf(code as ProblemCode), 'no', { code: code as ProblemCode })
    implement(app, refuse, ({ body: { code } }) => Promise.reject(problem(code)))
    implement(app, refuseLate, ({ body: { code } }, write) => {
      write({ type: 'begun' })
      return Promise.reject(problem(code))
    })
  },
)

let stand: ServiceStand
let removeDatabase: () => Promise<void>
beforeAll(async () => {
  const { url, remove } = await sqliteDatabase()
  removeDatabase = remove
  stand = await startServices([refuser], { url })
})
afterAll(async () => {
  await stand.close()
  await removeDatabase()
})

const address = () => stand.host.urls.refuser!
const thrown = (error: unknown) => Object.assign(new Error('refused'), error)
const typed = () =>
  createClient(group, {
    send: async ({ path, body: sent }) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(address() + path, { method: 'POST', headers, body: JSON.stringify(sent) })
      if (!response.ok) throw thrown(await response.json())
      return response
    },
    refuse: thrown,
    unreadable: thrown,
    brokenOff: thrown,
  })
const problem = (code: ProblemCode) => ({ code, status: statusOf(code) })
/** A command adds the status and the address. */
const failure = (code: ProblemCode, path: string) => ({
  details: { code, where: expect.stringMatching(new RegExp(`^POST ${path}: ${statusOf(code)}(, request .+)?$`)) },
})
const callers = {
  'a sibling': { client: () => world.call(group), error: problem },
  'the typed client': { client: typed, error: problem },
  'a command': { client: () => connect(group, { url: address() }), error: failure },
}

describe.each(Object.entries(callers))('%s', (_caller, { client, error }) => {
  test.each(codes)('gets the code %s', async (code) => {
    await expect(client().refuse({ body: { code } })).rejects.toMatchObject(error(code, '/refuse'))
    const late = async () => {
      for await (const { type } of client().refuseLate({ body: { code } })) expect(type).toBe('begun')
    }
    await expect(late()).rejects.toMatchObject(error(code, '/late'))
  })
})
