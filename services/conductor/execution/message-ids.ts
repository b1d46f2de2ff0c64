// Message ids that a repeat after a crash makes again, so that rooms store such a message once.
import { createHash } from 'node:crypto'

/** Namespace of a repository without a memory. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** UUIDv5 (RFC 9562) of `name` in `namespace`, a UUID. */
export function uuidv5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const text = hash.toString('hex', 0, 16)
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
}
