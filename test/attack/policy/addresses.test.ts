// Addresses whose host depends on the program that reads them.
import { expect, test } from 'vitest'
import { judge } from '../../../services/orchestrator/policy/judge.ts'
import { allow, deny } from './corpus/group.ts'
import { closedUnder } from '../../services/orchestrator/policy/closed-under.ts'

const PLACE = { workingDir: '/work', home: '/home/me', additionalDirs: ['/'], closed: closedUnder('/home/me') }
const POLICIES = {
  allow_list: allow('WebFetch(domain:example.com)', 'WebFetch(*)', 'WebFetch(domain:127.0.0.1)'),
  deny_list: deny('WebFetch(domain:evil.com)'),
}
const fetchOf = (policy: keyof typeof POLICIES, url: unknown) =>
  judge(POLICIES[policy], 'WebFetch', { url, prompt: 'x' }, PLACE)

const [BACKSLASH, CONTROL, AT, HOST, MISSING, NONE] = [
  'contains a backslash: write / or %5C',
  'contains a control character: remove it',
  'has an @ before its path: remove the user name, or write %40',
  'in a form that programs read differently: write',
  'has no host directly after "://": write https://HOST/PATH',
  'is not an absolute address: write https://HOST/PATH',
]

const UNCLEAR: [url: unknown, fault: string][] = [
  ['http://example.com\\@evil.com/', BACKSLASH],
  ['http://evil.com\\@example.com/', BACKSLASH],
  ['http:\\\\example.com/', BACKSLASH],
  ['http://example.com/a\\..\\b', BACKSLASH],
  ['http://example.com?\\@evil.com/', BACKSLASH],
  ['http://example.com#\\@evil.com/', BACKSLASH],
  ['http://exam\tple.com/', CONTROL],
  ['http://exam\nple.com/', CONTROL],
  ['http://example.com\r\nHost: evil.com/', CONTROL],
  ['\thttp://example.com/', CONTROL],
  ['http://example.com/\n', CONTROL],
  ['\u0000http://example.com/', CONTROL],
  ['http://example.com/\u001b[2J', CONTROL],
  ['http://example.com/\u007f', CONTROL],
  ['http://example.com/\u0085', CONTROL],
  ['http://example.com@evil.com/', AT],
  ['http://user:pw@example.com/', AT],
  ['http://@example.com/', AT],
  ['http://:@example.com/', AT],
  ['http://a@evil.com:80@example.com/', AT],
  ['http://example.com?@evil.com/', AT],
  ['http://example.com#@evil.com/', AT],
  ['http://example.com:80#@evil.com/', AT],
  ['http://example。com/', `${HOST} example.com`],
  ['http://example．com/', `${HOST} example.com`],
  ['http://example｡com/', `${HOST} example.com`],
  ['http://ｅxample.com/', `${HOST} example.com`],
  ['http://exa\u00admple.com/', `${HOST} example.com`],
  ['http://exam%70le.com/', `${HOST} example.com`],
  ['http://bücher.com/', `${HOST} xn--bcher-kva.com`],
  ['http://straße.com/', `${HOST} xn--strae-oqa.com`],
  ['http://2130706433/', `${HOST} 127.0.0.1`],
  ['http://0x7f000001/', `${HOST} 127.0.0.1`],
  ['http://0x7f.1/', `${HOST} 127.0.0.1`],
  ['http://0177.0.0.1/', `${HOST} 127.0.0.1`],
  ['http://127.1/', `${HOST} 127.0.0.1`],
  ['http://127.0.0.01/', `${HOST} 127.0.0.1`],
  ['http://0x7f000001:8080/', `${HOST} 127.0.0.1`],
  ['http://１２７.0.0.1/', `${HOST} 127.0.0.1`],
  ['http:/example.com/', MISSING],
  ['http:example.com', MISSING],
  ['http:///example.com/', MISSING],
  ['//example.com/', NONE],
  ['http://exa mple.com/', NONE],
  ['http://256.1.1.1/', NONE],
  [7, NONE],
  [undefined, NONE],
]

for (const policy of ['allow_list', 'deny_list'] as const) {
  test.each(UNCLEAR)(`${policy} refuses %j with the reason`, (url, fault) => {
    const { decision, message } = fetchOf(policy, url)
    expect([decision, message]).toEqual(['deny', expect.stringContaining(`Tool 'WebFetch' is refused: url `)])
    expect(message).toContain(fault)
    // An agent shows it in a terminal.
    expect(message).toMatch(/^[\x20-\x7e]+$/)
  })

  test.each([
    'http://example.com/',
    ' https://EXAMPLE.com. ',
    'https://example.com:443/a@b?c=d@e#f@g',
    'https://example.com?a=b',
    'http://xn--bcher-kva.com/ü',
    'http://127.0.0.1:8080/x',
    'http://[::1]/',
    'http://[::FFFF:127.0.0.1]:80/',
  ])(`${policy} judges %j by its entries`, (url) => {
    expect(fetchOf(policy, url).message).toBe(`Tool 'WebFetch' is not allowed by policy '${policy}'`)
  })
}

test('does not judge addresses that no pattern depends on', () => {
  const odd = { url: 'http://example.com\\@evil.com/' }
  const decided = (policy: Parameters<typeof judge>[0]) => judge(policy, 'WebFetch', odd, PLACE)
  expect(decided(allow('WebFetch')).decision).toBe('allow')
  expect(decided(deny('Bash')).decision).toBe('allow')
  expect(decided(deny('WebFetch'))).toEqual({
    decision: 'deny',
    message: "Tool 'WebFetch' is not allowed by policy 'deny_list': an entry names the tool: WebFetch",
    finding: { kind: 'refused', reason: 'an entry names the tool', part: 'WebFetch' },
  })
  expect(decided({ mode: 'require_approval' }).decision).toBe('ask')
})
