import { MAGIC, padding, type Head, type Weights } from '../../services/code-index/embedding/builtin.ts'
import { TOKENS_VERSION } from '../../services/code-index/text/tokens.ts'

export function encodeWeights({ name, dim, words, inQuery, inCode, scales, vectors }: Weights): Buffer {
  const head = Buffer.from(JSON.stringify({ name, tokens_version: TOKENS_VERSION, dim, words } satisfies Head))
  const start = Buffer.alloc(8)
  start.write(MAGIC, 'latin1')
  start.writeUInt32LE(head.length, 4)
  const numbers = [inQuery, inCode, scales, vectors].map((each) =>
    Buffer.from(each.buffer, each.byteOffset, each.byteLength),
  )
  return Buffer.concat([start, head, Buffer.alloc(padding(head.length)), ...numbers])
}
