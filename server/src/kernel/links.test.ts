import { describe, expect, test } from 'vitest'
import { organisationNamePattern, personNamePattern, withoutLinks } from './links.ts'

const fits = (pattern: string, name: string) => new RegExp(pattern, 'u').test(name)

describe('names', () => {
  test.each([
    'Claim your refund at https://evil.example/x now',
    'see http://evil.example',
    'HTTPS://EVIL.EXAMPLE',
    'www.evil.example',
    'WWW.evil.example',
    'evil.example/x',
    'evil.example:8080',
    'evil.example?x=1',
    'mail me@evil.example',
    'ftp://x',
    ' ',
  ])('%j is not a name of a person or an organisation', (name) => {
    expect([fits(personNamePattern, name), fits(organisationNamePattern, name)]).toEqual([false, false])
  })

  test.each(['evil.example', 'verify at evil.example now', 'bit.ly', 'x evil.co.uk, y'])(
    '%j may be the name of an organisation, but not of a person',
    (name) => {
      expect([fits(personNamePattern, name), fits(organisationNamePattern, name)]).toEqual([false, true])
    },
  )

  test.each([
    'Ngozi',
    'J.P. Okafor',
    'St.Mary',
    'Dr. Ada Obi',
    "N'Golo",
    'Adéṣọlá Bello-Ojo',
    'Bello A.B.',
    'A/C Services T/A Kiosk',
    'Owo & Sons (Nig.) Ltd.',
    'No.5 Stores',
    'Udo 2.',
    '北京 Trading Co.',
    '@Home Cleaning',
    '24/7 Stores',
  ])('%j may be the name of both', (name) => {
    expect([fits(personNamePattern, name), fits(organisationNamePattern, name)]).toEqual([true, true])
  })
})

describe('in a mail', () => {
  test.each([
    ['Acme.com Ltd', 'Acme .com Ltd'],
    ['Access Bank: see https://evil.example/x now', 'Access Bank: see https: //evil .example/x now'],
    ['www.Evil.Example', 'www .Evil .Example'],
    ['EVIL.EXAMPLE', 'EVIL .EXAMPLE'],
    ['Evil.Com', 'Evil .Com'],
    ['Evil.Example', 'Evil .Example'],
    ['Go.Com', 'Go .Com'],
    ['evil.example+x@y', 'evil .example+x@y'],
    ['visit sub.evil.co.uk.', 'visit sub .evil .co .uk.'],
    ['ευρώ.ελ', 'ευρώ .ελ'],
    ['javascript://x', 'javascript: //x'],
    ['+evil.example', '+evil .example'],
    ['%evil.example', '%evil .example'],
    ['pay_evil.example', 'pay_evil .example'],
    ['..evil.example', '..evil .example'],
    ['-evil.example', '-evil .example'],
    ['evil。example', 'evil 。example'],
    ['evil．example', 'evil ．example'],
    ['evil｡example', 'evil ｡example'],
  ])('%j is written as %j', (text, written) => {
    expect(withoutLinks(text)).toBe(written)
  })

  test.each([
    'Write to sales@acme.example.',
    'Write to a_b@my-shop.acme.example.',
    'Write to first.last+tag@acme.example.',
    'Write to first.m.last-x@acme.example.',
    '我们付款。谢谢',
    'It is of 2026-11-15T09:00:00.000Z, from 127.0.0.1.',
    '₦14,514.11 is due. Please pay it.',
    'J.P. Okafor and St.Mary',
    'Hello Ada,',
  ])('%j stays unchanged', (text) => {
    expect(withoutLinks(text)).toBe(text)
  })
})
