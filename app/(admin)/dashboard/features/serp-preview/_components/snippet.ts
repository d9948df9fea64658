/** What the tool is filled with, in the names of the contract. */
export type PageFacts = {
  domain: string;
  slug: string;
  currentTitle: string;
  currentDescription: string;
  intent: string;
};

export const blankPage: PageFacts = { domain: '', slug: '', currentTitle: '', currentDescription: '', intent: '' };

/** As POST /api/tools/seo/suggest answers it. */
export type SuggestedTexts = { title: string; description: string; source: 'model' | 'rules' };
