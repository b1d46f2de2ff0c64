// Cutting a stream into lines, wherever its chunks begin and end.
import { expect, test } from 'vitest'
import { LineCutter } from '../../bridge/lines.ts'

function cut(chunks: (string | Buffer)[], longest?: number) {
  const lines: string[] = []
  const dropped: number[] = []
  const cutter = new LineCutter(
    (line) => lines.push(line),
    (length) => dropped.push(length),
    longest,
  )
  for (const chunk of chunks) cutter.take(Buffer.from(chunk))
  cutter.end()
  return { lines, dropped }
}

test('lines come whole, however they arrive', () => {
  expect(cut(['a', 'b\nc\n', '\n \r\n', 'd\r\n', 'e']).lines).toEqual(['ab', 'c', 'd', 'e'])
})

test('a character cut in two is put together', () => {
  const bytes = Buffer.from('é€😀\n')
  expect(cut([...bytes].map((byte) => Buffer.from([byte]))).lines).toEqual(['é€😀'])
})

test('a line that never ends is let go, and the next is taken', () => {
  expect(cut(['12345', '67890', '1\nshort\n', '12345678901'], 10)).toEqual({ lines: ['short'], dropped: [11, 11] })
})
