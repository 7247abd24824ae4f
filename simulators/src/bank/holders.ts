const given = ['Adaeze', 'Bola', 'Chidi', 'Damilola', 'Emeka', 'Folake', 'Gbenga', 'Halima', 'Ibrahim', 'Joke']
const family = ['Adeyemi', 'Bello', 'Chukwu', 'Danjuma', 'Eze', 'Falana', 'Garba', 'Igwe', 'Okafor', 'Yusuf']

/** Whose account it is: always the same name for the same number, as banks write them. */
export function holderOf(accountNumber: string): string {
  const nth = Number(accountNumber.slice(0, 9))
  return `${given[nth % 10]} ${family[Math.floor(nth / 10) % 10]}`.toUpperCase()
}
