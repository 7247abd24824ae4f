/** Lets this process do what it can do now, without its timers: some turns of its event loop. */
export async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}
