import { expect, test } from 'vitest'
import { addressWith } from '../../../web/frame/address.ts'

test('keeps a filter in the address beside other parameters', () => {
  const location = { pathname: '/ui/state', search: '?by=source' }
  expect(addressWith(location, 'q', 'is:odd kind:agents')).toBe('/ui/state?by=source&q=is%3Aodd+kind%3Aagents')
  expect(addressWith({ ...location, search: '?q=x&by=source' }, 'q', '')).toBe('/ui/state?by=source')
  expect(addressWith({ ...location, search: '?q=x' }, 'q', '')).toBe('/ui/state')
})
