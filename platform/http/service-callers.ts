// The original caller of a request that another service of this system makes: a value within a process, headers with
// the service token between processes.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { FastifyRequest } from 'fastify'
import * as Type from 'typebox'
import { ROLES } from '../../schemas/access/token.ts'
import { replaceUnstorable } from '../../schemas/validation/text.ts'
import { createAjv } from '../../schemas/validation/ajv.ts'
import { currentActor, type Actor } from '../core/actor.ts'
import { invalid } from '../core/problem.ts'

const TOKEN_HEADER = 'x-svc-service-token'
const CALLER_HEADER = 'x-svc-caller'

const OriginalCaller = Type.Object({
  actor: Type.String({ minLength: 1, maxLength: 256 }),
  agent: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  sender: Type.Optional(
    Type.Object({
      agent: Type.String({ minLength: 1, maxLength: 64 }),
      actor: Type.String({ minLength: 1, maxLength: 256 }),
    }),
  ),
  role: Type.Optional(Type.Enum([...ROLES])),
})
export type OriginalCaller = Pick<Actor, 'actor' | 'agent' | 'sender' | 'role'>

const isOriginalCaller = createAjv().compile<OriginalCaller>(OriginalCaller)

/** Returns the token, and creates a missing file with mode 0600. Processes that start together get the same token. */
export function openServiceToken(file: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const token = readFileSync(file, 'utf8').trim()
  if (token.length >= 32) return token
  throw invalid(`the service token in ${file} has ${token.length} characters, expected at least 32: remove the file`)
}

/** Headers that name the original caller; ignored by a process with another service token. */
export const callerHeaders = ({ actor, agent, sender, role }: Actor, serviceToken: string): Record<string, string> => ({
  [TOKEN_HEADER]: serviceToken,
  [CALLER_HEADER]: encodeURIComponent(JSON.stringify({ actor, agent, sender, role } satisfies OriginalCaller)),
})

/** Returns null for a request that no service of this system made. Throws 400 for an invalid header. */
export function originalCaller(request: FastifyRequest, serviceToken: string | null): OriginalCaller | null {
  // Only a request of this process has no connection.
  if (!(request.raw.socket instanceof Socket)) return currentActor()
  const sent = request.headers[TOKEN_HEADER]
  if (serviceToken === null || typeof sent !== 'string' || !isEqual(sent, serviceToken)) return null
  return parseCaller(request.headers[CALLER_HEADER])
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function parseCaller(header: unknown): OriginalCaller {
  try {
    const caller: unknown = JSON.parse(decodeURIComponent(String(header)))
    if (isOriginalCaller(caller) && replaceUnstorable(caller).replaced === 0) return caller
  } catch {
    // Reported below.
  }
  throw invalid('X-Svc-Caller should be a caller as URL-encoded JSON: {actor, agent?, sender?, role?}')
}
