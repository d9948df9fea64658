export const title = 'Access Control';
export const description = 'What each role allows, and who has it.';
