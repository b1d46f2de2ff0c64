import { expect, test } from 'vitest'
import { pageAddress } from '../../../../cli/page/address.ts'
import { servicesOnly, summaryText } from '../../../../cli/svc/daemon/first-pass.ts'

test('ends the summary of a start with the address of the page and the next commands', () => {
  const summary = servicesOnly({ controller: 'http://127.0.0.1:17000' }, Date.now())
  expect(summary.page).toBe('http://127.0.0.1:17000/ui/')
  expect(summaryText(summary)).toContain(
    'next, in a browser\n  http://127.0.0.1:17000/ui/\nnext, in another terminal\n',
  )
})

test('names no page without a controller', () => {
  const summary = servicesOnly({ orchestrator: 'http://127.0.0.1:17006' }, Date.now())
  expect(summary.page).toBe(null)
  expect(summaryText(summary)).not.toContain('browser')
})

test('names the public address of a daemon behind a proxy', () => {
  for (const address of ['https://team.example.org/svc', 'https://team.example.org/svc/'])
    expect(pageAddress('http://127.0.0.1:17000', new URL(address))).toBe('https://team.example.org/svc/ui/')
  expect(pageAddress('http://127.0.0.1:17000', new URL('https://team.example.org'))).toBe(
    'https://team.example.org/ui/',
  )
})
