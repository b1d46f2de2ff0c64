import { expect, test } from 'vitest'
import { MOST_CONTENT } from '../../../../schemas/communicate/message.ts'
import { mentionsIn } from '../../../../services/orchestrator/rooms/mentions.ts'

test.each([
  '@bot',
  'ask @bot please',
  '(@bot)',
  '（@bot）',
  '[@bot]',
  '{@bot}',
  '**@bot**',
  '_@bot_ and **ask @bot**',
  '@Bot, look',
  "@bot's turn",
  '@bot: look',
  '@bot...',
  '@bot-',
  'one\n@bot',
  'one\\\n@bot',
  '# @bot',
  '- @bot',
  '| who |\n|---|\n| @bot |',
  '> quoted\n\n@bot',
  '`code` @bot',
  'see http://example.org/ @bot',
  '<b>@bot</b>',
  '<code>x</code> @bot',
  '</code> @bot',
  '&nbsp;@bot',
  '@bot/@bot',
])('finds a mention in %j', (content) => {
  expect([...mentionsIn(content)]).toEqual(['bot'])
})

test.each([
  'no mention, bot',
  'write to ops@bot please',
  '<ops@bot>',
  'run `@bot` as it is',
  'run ``x ` @bot`` now',
  '```\n@bot\n```',
  '```\n@bot without an end',
  '~~~\n@bot\n~~~',
  'code:\n\n    @bot',
  'see http://example.org/@bot/y',
  'see http://example.org/(@bot)',
  'see (www.example.org/(@bot))',
  'mailto:(@bot)',
  '[@bot](http://example.org/)',
  '[text](http://example.org/ "@bot")',
  '[text][1]\n\n[1]: @bot',
  '![@bot](image.png)',
  '\\@bot escaped',
  '\\\\@bot',
  '&#64;bot',
  'npm i @bot/tools',
  'npm i @bot.js/tools',
  '@bot@example.org',
  'git clone git@bot:team/x.git',
  '> @bot',
  '> quoted\n@bot continues the quote',
  '> - > @bot',
  '- > @bot',
  '<code>@bot</code>',
  '<pre>\n@bot\n</pre>',
  '<a href="x">@bot</a>',
  '<!-- @bot -->',
  'x<!-- @bot -->',
  '<div title="@bot">\n@bot\n</div>',
  '`x`@bot',
  'a**@bot**',
  '@ bot',
  '@-bot',
])('finds no mention in %j', (content) => {
  expect([...mentionsIn(content)]).toEqual([])
})

test('finds names with dots, hyphens and letters of any script, each once', () => {
  const names = ['all', 'build-er.2', 'größe', 'робот', '日本', 'x_y']
  expect([...mentionsIn(`${names.map((name) => `@${name}`).join(', ')}; @ALL, @x_y.`)]).toEqual(names)
})

test.each(['![', '[', '*a ', '@a.', '@a-', '- ', '(', '<a ', '`', '> ', '@', '@a/', '&', '\\@', '@bot ', '<b>'])(
  'reads the longest message made of %j',
  (part) => {
    expect(mentionsIn(`@ann ${part.repeat(MOST_CONTENT)}`.slice(0, MOST_CONTENT))).toContain('ann')
  },
)
