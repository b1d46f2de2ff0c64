import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../../schemas/secret.ts'
import { Problem } from '../core/problem.ts'

/** Header names in lower case, raw body. */
export interface SignedDelivery {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

export interface Delivery extends SignedDelivery {
  /** Sent by an agent's process. */
  byAgent?: boolean
  /** Redacts the stored headers. */
  redact?: (text: string) => Promise<string>
}

/** `body`: undefined if it was not read. */
export interface RefusedDelivery extends Pick<Delivery, 'headers' | 'redact'> {
  body?: Buffer
}

const HEADER = 'x-hub-signature-256'
const HEX_OF_SHA256 = /^[0-9a-f]{64}$/i

/** Throws 401 unless the header is the hex HMAC-SHA256 of the body. */
export function checkSignature(secret: Secret, { headers, body }: SignedDelivery): void {
  const given = [headers[HEADER]].flat()[0]
  if (given === undefined) throw refused('is missing')
  const hex = given.replace(/^sha256=/, '')
  // The length of a digest is not secret.
  if (!HEX_OF_SHA256.test(hex)) throw refused('is not a SHA-256 in hex')
  const wanted = createHmac('sha256', secret.reveal()).update(body).digest()
  if (!timingSafeEqual(Buffer.from(hex, 'hex'), wanted)) throw refused('does not match the body')
}

const refused = (fault: string): Problem =>
  new Problem(401, `X-Hub-Signature-256 ${fault}: send sha256=<hex of the HMAC-SHA256 of the body as sent>`, {
    code: 'signature-wrong',
  })

export const secretMissing = (detail: string): Problem => new Problem(401, detail, { code: 'secret-missing' })
