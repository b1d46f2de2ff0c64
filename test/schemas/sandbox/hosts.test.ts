import { expect, test } from 'vitest'
import { hostFault, isAllowedHost } from '../../../schemas/sandbox/hosts.ts'

const hosts = ['api.example.org', '*.example.com', 'db.example.org:5432', '*.cdn.example.org:8443', 'Upper.Example.Net']

test.each([
  ['api.example.org', 443],
  ['api.example.org', 80],
  ['API.Example.ORG.', 443],
  ['a.example.com', 443],
  ['a.b.example.com', 80],
  ['db.example.org', 5432],
  ['x.cdn.example.org', 8443],
  ['upper.example.net', 443],
])('allows %s:%i', (host, port) => {
  expect(isAllowedHost(hosts, host, port)).toBe(true)
})

test.each([
  ['api.example.org', 22],
  ['db.example.org', 443],
  ['example.com', 443],
  ['evil-example.com', 443],
  ['a.example.com.evil.test', 443],
  ['api.example.org.evil.test', 443],
  ['x.api.example.org', 443],
  ['x.cdn.example.org', 443],
  ['api.example.org:443', 443],
  ['api.example.org\u0000.example.com', 443],
  ['*.example.com', 443],
  ['127.0.0.1', 443],
  ['[::1]', 443],
  ['', 443],
])('refuses %j:%i', (host, port) => {
  expect(isAllowedHost(hosts, host, port)).toBe(false)
})

test.each(['a.org', 'localhost:8080', '*.a.org', '*.a.org:1', 'a_b.example.org', 'xn--bcher-kva.example', 'a.org.'])(
  'accepts %s in the list',
  (written) => {
    expect(hostFault(written)).toBeNull()
  },
)

test.each([
  ['https://a.org', /a scheme is not part/],
  ['a.org/path', /no path/],
  ['user@a.org', /no user/],
  ['*', /network: all/],
  ['*:443', /network: all/],
  ['10.0.0.1', /an address/],
  ['10.0.0.1:80', /an address/],
  ['0x7f.1', /an address/],
  ['2130706433', /an address/],
  ['[::1]:80', /an address/],
  ['::1', /an address/],
  ['a.org:0', /from 1 to 65535, got "0"/],
  ['a.org:70000', /from 1 to 65535/],
  ['a.org:', /from 1 to 65535/],
  ['a*.org', /as the first label/],
  ['a.*.org', /as the first label/],
  ['bücher.example', /letters, digits/],
  ['a b.org', /letters, digits/],
  ['', /letters, digits/],
  [`${'a'.repeat(64)}.org`, /letters, digits/],
])('rejects %j in the list', (written, words) => {
  expect(hostFault(written)).toMatch(words)
})
