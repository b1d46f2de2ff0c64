import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from '../../../../web/parts/commands/curl.ts'

test('quotes every word so that a shell passes it on unchanged', () => {
  const body = { reason: `it's "$HOME" \`id\`\n; rm -rf x` }
  const line = curlOf({ method: 'POST', address: 'http://127.0.0.1:17000/api/x?a=1&b=2', body })
  const words = execFileSync('sh', ['-c', `curl() { for word; do printf '%s\\0' "$word"; done; }; ${line}`], {
    encoding: 'utf8',
  })
  expect(words.split('\0').slice(0, -1)).toEqual([
    '-X',
    'POST',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(body),
    'http://127.0.0.1:17000/api/x?a=1&b=2',
  ])
})

test('is short for a read', () => {
  expect(curlOf({ method: 'GET', address: 'http://127.0.0.1:17000/api/inbox' })).toBe(
    'curl http://127.0.0.1:17000/api/inbox',
  )
})
