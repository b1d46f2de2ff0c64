import { expect, test } from 'vitest'
import { MatchReader } from '../../../services/code-index/agentic/match-reader.ts'

test('returns lines of CRLF files without their ends', () => {
  const reader = new MatchReader(1, 10)
  reader.read(Buffer.from('a.ts\x001-function beta() {\r\na.ts\x002:  return 2\r\na.ts\x003-}\r\n'))
  expect(reader.end()).toEqual([
    {
      file_path: 'a.ts',
      line_number: 2,
      content: '  return 2',
      context_before: ['function beta() {'],
      context_after: ['}'],
    },
  ])
})
